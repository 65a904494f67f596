/// The rules that say which of the fitting nodes is best, one class each; the list with the weights
/// is in [dev.berth.scheduler.scores.ScoreList]. Every rule answers from 0 (worst) to 100 (best).
@NullMarked
package dev.berth.scheduler.scores;

import org.jspecify.annotations.NullMarked;

/// The scores that order feasible nodes, one class each; the list with the weights is in
/// [dev.berth.scheduler.scores.ScoreList]. Every score is from 0 (worst) to 100 (best).
@NullMarked
package dev.berth.scheduler.scores;

import org.jspecify.annotations.NullMarked;

package dev.berth.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/// An amount of a resource with a unit, such as `100m`, `1.5` or `2Gi`; equal when the amounts are
/// equal.
///
/// Immutable. Parsing, rounding and the canonical text follow upstream's `resource.Quantity`,
/// because clients compare the texts that the server returns with their own.
public final class Quantity implements Comparable<Quantity> {
  /// The syntax of a quantity, as part of upstream's message.
  public static final String SYNTAX =
      "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  /// The place of a suffix is its power of 1000, from nano to exa; the space stands for no suffix.
  private static final String DECIMAL_SUFFIXES = "num kMGTPE";

  private static final String BINARY_SUFFIXES = "KMGTPE";
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  /// Upstream's cap, the largest signed 64-bit number.
  private static final BigDecimal LARGEST = new BigDecimal(Long.MAX_VALUE);

  private enum Format {
    DECIMAL,
    BINARY,
    EXPONENT
  }

  private final BigDecimal amount;
  private final Format format;

  private Quantity(BigDecimal amount, Format format) {
    this.amount = amount;
    this.format = format;
  }

  /// Reads a quantity; empty when the text is not one.
  public static Optional<Quantity> parse(String text) {
    int unit = 0;
    while (unit < text.length() && isNumberPart(text.charAt(unit), unit)) {
      unit++;
    }
    String number = text.substring(0, unit);
    String suffix = text.substring(unit);
    if (number.chars().noneMatch(Character::isDigit)
        || number.chars().filter(c -> c == '.').count() > 1) {
      return Optional.empty();
    }
    return scale(suffix)
        .map(scale -> of(new BigDecimal(number).multiply(scale.factor), scale.format));
  }

  public static Quantity ofMilli(long milli) {
    return new Quantity(BigDecimal.valueOf(milli, 3), Format.DECIMAL);
  }

  /// A number of bytes, which is written in binary units, as amounts of memory and storage are.
  public static Quantity ofBytes(long bytes) {
    return new Quantity(BigDecimal.valueOf(bytes), Format.BINARY);
  }

  private static Quantity of(BigDecimal amount, Format format) {
    // As upstream: fractions below nano are rounded up, and amounts beyond a signed 64-bit number
    // are capped.
    BigDecimal fine = amount.scale() > 9 ? amount.setScale(9, RoundingMode.UP) : amount;
    BigDecimal cut = fine.abs().compareTo(LARGEST) > 0 ? LARGEST.multiply(sign(fine)) : fine;
    return new Quantity(cut, format);
  }

  private static BigDecimal sign(BigDecimal value) {
    return BigDecimal.valueOf(value.signum());
  }

  private static boolean isNumberPart(char c, int position) {
    return (c >= '0' && c <= '9') || c == '.' || (position == 0 && (c == '+' || c == '-'));
  }

  private record Scale(BigDecimal factor, Format format) {}

  private static Optional<Scale> scale(String suffix) {
    if (suffix.isEmpty()) {
      return Optional.of(new Scale(BigDecimal.ONE, Format.DECIMAL));
    }
    if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
      int power = BINARY_SUFFIXES.indexOf(suffix.charAt(0)) + 1;
      return power == 0 ? Optional.empty() : Optional.of(new Scale(KIBI.pow(power), Format.BINARY));
    }
    int place = suffix.charAt(0) == ' ' ? -1 : DECIMAL_SUFFIXES.indexOf(suffix.charAt(0));
    if (suffix.length() == 1 && place >= 0) {
      return Optional.of(
          new Scale(BigDecimal.ONE.scaleByPowerOfTen((place - 3) * 3), Format.DECIMAL));
    }
    // Four digits bound the memory: `1e999999999` would be a number with a billion digits.
    return suffix.matches("[eE][+-]?[0-9]{1,4}")
        ? Optional.of(
            new Scale(
                BigDecimal.ONE.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1))),
                Format.EXPONENT))
        : Optional.empty();
  }

  public BigDecimal amount() {
    return amount;
  }

  /// The amount times 1000, rounded up: the unit of CPU.
  public long milli() {
    return bounded(amount.scaleByPowerOfTen(3));
  }

  /// The amount as a whole number, rounded up: the unit of memory.
  public long value() {
    return bounded(amount);
  }

  private static long bounded(BigDecimal value) {
    return value.setScale(0, RoundingMode.UP).min(LARGEST).longValue();
  }

  /// The result has this quantity's format, or the other's when this one is zero, because a zero
  /// has no unit.
  public Quantity plus(Quantity other) {
    return of(amount.add(other.amount), amount.signum() == 0 ? other.format : format);
  }

  public Quantity negated() {
    return new Quantity(amount.negate(), format);
  }

  public int signum() {
    return amount.signum();
  }

  /// The canonical text: no fraction, and the largest unit that is exact.
  @Override
  public String toString() {
    if (amount.signum() == 0) {
      return "0";
    }
    boolean binary =
        format == Format.BINARY
            && amount.stripTrailingZeros().scale() <= 0
            && amount.abs().compareTo(KIBI) >= 0;
    return binary ? binaryText(amount.toBigInteger()) : decimalText();
  }

  private static String binaryText(BigInteger value) {
    // Each unit is 1024 times the one before, which is ten zero bits.
    int power = Math.min(value.getLowestSetBit() / 10, BINARY_SUFFIXES.length());
    String number = value.shiftRight(10 * power).toString();
    return power == 0 ? number : number + BINARY_SUFFIXES.charAt(power - 1) + "i";
  }

  private String decimalText() {
    int zeros = -amount.stripTrailingZeros().scale();
    // No amount has digits below nano, so that the number at this exponent is whole.
    int exponent = Math.clamp(Math.floorDiv(zeros, 3) * 3L, -9, 18);
    String number = amount.scaleByPowerOfTen(-exponent).toBigInteger().toString();
    if (exponent == 0) {
      return number;
    }
    return format == Format.EXPONENT
        ? number + "e" + exponent
        : number + DECIMAL_SUFFIXES.charAt(exponent / 3 + 3);
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
  }

  @Override
  public int hashCode() {
    return amount.stripTrailingZeros().hashCode();
  }
}

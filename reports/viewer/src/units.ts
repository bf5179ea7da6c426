// Formats numbers with their units.

const THIN = "\u202f";

export function digits(value: number, count = 3): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return value.toExponential(count - 1).replace("e+", "e");
  return String(Number(value.toPrecision(count)));
}

/** Enough digits to identify the double. */
export function exact(value: number): string {
  if (!Number.isFinite(value)) return digits(value);
  const size = Math.abs(value);
  return value !== 0 && (size < 1e-4 || size >= 1e9) ? value.toExponential().replace("e+", "e") : String(value);
}

function scaled(value: number, steps: [number, string][], count: number): string {
  const [size, unit] = steps.find(([least]) => Math.abs(value) >= least) ?? steps[steps.length - 1]!;
  return `${digits(value / size, count)}${THIN}${unit}`;
}

export const seconds = (value: number, count = 3): string =>
  value === 0
    ? `0${THIN}s`
    : scaled(
        value,
        [
          [1, "s"],
          [1e-3, "ms"],
          [1e-6, "µs"],
          [1e-9, "ns"],
        ],
        count,
      );

export const bytes = (value: number): string =>
  scaled(
    value,
    [
      [2 ** 40, "TiB"],
      [2 ** 30, "GiB"],
      [2 ** 20, "MiB"],
      [2 ** 10, "KiB"],
      [1, "B"],
    ],
    3,
  );

export const rate = (value: number, unit: string): string =>
  scaled(
    value,
    [
      [1e9, `G${unit}`],
      [1e6, `M${unit}`],
      [1e3, `k${unit}`],
      [1, unit],
    ],
    3,
  );

export const percent = (value: number): string => `${digits(100 * value, value < 0.1 ? 2 : 3)}${THIN}%`;

/** A relative change: 0.052 is "+5.2 %". */
export const change = (value: number): string =>
  (value > 0 ? "+" : "") + (Number.isFinite(value) ? `${digits(100 * value, 2)}${THIN}%` : digits(value));

export const count = (value: number): string => value.toLocaleString("en-US").replace(/,/g, THIN);

export const plural = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? "" : "s"}`;

/** 65 (seconds) is "1 min 5 s". */
export function duration(value: number): string {
  if (!(value >= 60)) return seconds(value);
  const whole = Math.round(value);
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ];
  return parts
    .filter(([n]) => n > 0)
    .slice(0, 2)
    .map(([n, unit]) => `${n}${THIN}${unit}`)
    .join(" ");
}

/** Null without values. */
export function median(values: number[]): number | null {
  const ordered = [...values].sort((a, b) => a - b);
  const [low, high] = [ordered[(ordered.length - 1) >> 1], ordered[ordered.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

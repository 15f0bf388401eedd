// The server's time on a phone whose own clock is wrong, and what a clock of the event shows.
// Pure but for Date.now(): the tests give both their own time.

const SAMPLES = 8;
const JUMP = 2000; // ms: a phone that slept, or whose clock was set
let samples = [];
let offset = 0;

// What one answer tells: server - phone, half the round trip later, and how sure that is.
// `sent`, `came`: the phone's ms; `server`: the header's.
export const learn = (sent, came, server) => {
  const trip = came - sent;
  const sample = { trip, offset: server + trip / 2 - came };
  // Not performance.now(), which stops while a phone sleeps; so a leap is believed at once, unless
  // the answer itself was that slow.
  if (samples.length && Math.abs(sample.offset - offset) > JUMP + trip / 2) samples = [];
  samples = [...samples, sample].slice(-SAMPLES);
  offset = samples.reduce((a, b) => (b.trip < a.trip ? b : a)).offset;
};

export const serverNow = () => Date.now() + offset;

// What a clock says at an instant, as tournament/clocks.py: the state, and ms to its end
// (`over`: since its end). `clock` is the pulse's; `table` the number of a table, or nothing.
export const reading = (clock, now, table) => {
  if (!clock) return { state: "none", ms: 0 };
  if (clock.break && now < clock.break.until)
    return { state: "break", ms: clock.break.until - now, text: clock.break.text };
  if (clock.starts === null) return { state: "none", ms: 0 };
  if (now < clock.starts) return { state: "announced", ms: clock.starts - now };
  if (clock.length === null) return { state: "open", ms: now - clock.starts };
  const own = clock.tables[table] ?? { extra: 0, stopped: null };
  // A table may have been stopped before the start: nothing has passed then, and not less.
  const until = Math.max(clock.starts, Math.min(clock.paused ?? now, own.stopped ?? now));
  const left = clock.length + own.extra - (until - clock.starts - clock.pausedFor);
  if (left <= 0) return { state: "over", ms: -left };
  if (own.stopped !== null) return { state: "stopped", ms: left };
  return { state: clock.paused === null ? "running" : "paused", ms: left };
};

// 75:00, 0:09; a second is shown until it is over.
export const minutes = (ms) => {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

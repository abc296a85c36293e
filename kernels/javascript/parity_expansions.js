// Expansions of parity-bound on a cell (parity_bound.md): f = w^a (l log w + v), v = z_0 + z_1 w + ... + w^j s, s in S, v in V.
//
// a and l are constants; the z_i are constants, or intervals where the method is `middle`.

import { Pair, powerOfInterval, wholePower } from "./parity_constants.js";
import { Rejected } from "./budget.js";
import { HALF, ONE, whole, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";

const asInterval = (x) => (x instanceof Interval ? x : x.interval());
const nothing = () => Interval.of(ZERO);

/** A cell with its method and order: what expansions on it share. */
export class Frame {
  constructor(low, high, method, order) {
    Object.assign(this, { low, high, method, order });
    this.middle = method === "middle";
    this.length = this.middle ? high.minus(low).times(HALF) : high.minus(low);
    const far = Interval.of(this.length);
    this.W = this.middle ? far.negative().hull(far) : Interval.fromZeroTo(far.high);
    this.far = far;
  }

  coefficient(value) {
    return this.middle ? Interval.of(value) : Pair.of(value);
  }

  /** Return p, or 1 - p on the side `down`. */
  variable(down) {
    const at = { low: this.low, high: this.high, middle: this.low.plus(this.high).times(HALF) }[this.method];
    const slope = (this.method === "high") === down ? ONE : ONE.negative();
    return this.linear(down ? ONE.minus(at) : at, slope);
  }

  linear(value, slope) {
    const [first, second] = [this.coefficient(value), this.coefficient(slope)];
    const series = [first, second, ...Array.from({ length: this.order }, () => this.coefficient(ZERO))];
    const rest = this.order === 1 ? asInterval(second) : nothing();
    const range = asInterval(first).plus(this.W.times(asInterval(second)));
    return this.expansion(Pair.of(ZERO), Pair.of(ZERO), series.slice(0, this.order), rest, range);
  }

  constant(pair) {
    const first = this.middle ? pair.interval() : pair;
    const series = [first, ...Array.from({ length: this.order - 1 }, () => this.coefficient(ZERO))];
    return this.expansion(Pair.of(ZERO), Pair.of(ZERO), series, nothing(), pair.interval());
  }

  /** Return an expansion; V is met with what the series gives, and a coefficient z_0 that is 0 goes into w^a. */
  expansion(a, l, z, S, V) {
    const sharp = new Expansion(this, a, l, z, S, V.meet(this.rest(z, S, 0)));
    if (this.middle || !l.isZero() || z.length === 0 || !z[0].isZero()) return sharp;
    if (z.every((x) => x.isZero()) && S.isZero()) return sharp; // the function 0
    return this.expansion(a.plus(Pair.of(ONE)), l, z.slice(1), S, sharp.V.times(this.power(Pair.of(ONE.negative()))));
  }

  /** Return z_from + W (z_(from+1) + ... + W S). */
  rest(z, S, from) {
    let total = S;
    for (let i = z.length - 1; i >= from; i--) total = asInterval(z[i]).plus(this.W.times(total));
    return total;
  }

  /** Return the interval of w^d: (0, W^d] for d > 0, [W^d, infinity) for d < 0. */
  power(d) {
    const sign = d.sign();
    if (sign === 0) return Interval.of(ONE);
    const end = this.farPower(d);
    return sign > 0 ? Interval.fromZeroTo(end.high) : new Interval(end.low, Interval.all().high);
  }

  farPower(d) {
    const value = d.rational();
    return value ? powerOfInterval(this.far, value) : this.far.log().times(d.interval()).exp();
  }

  /** Return the interval of log w: (-infinity, log W]. */
  log() {
    return new Interval(Interval.all().low, this.far.log().high);
  }

  /** Return the interval of w^d log w. */
  powerLog(d) {
    const log = this.far.log();
    const end = this.farPower(d).times(log);
    if (d.sign() <= 0) return new Interval(Interval.all().low, end.high);
    if (log.times(d.interval()).highIsAtMost(ONE.negative())) return new Interval(end.low, nothing().high);
    const lowest = Interval.of(ONE).exp().times(d.interval()).inverse().negative();
    return new Interval(lowest.low, nothing().high);
  }
}

export class Expansion {
  constructor(frame, a, l, z, S, V) {
    Object.assign(this, { frame, a, l, z, S, V });
  }

  /** Return the range: V, with l log w added. */
  range() {
    if (this.l.isZero()) return this.V;
    return this.V.plus(this.l.interval().times(this.frame.log()));
  }

  negative() {
    return new Expansion(this.frame, this.a, this.l.negative(), this.z.map((x) => x.negative()), this.S.negative(), this.V.negative());
  }

  /** Return the series with `count` coefficients, or as many as there are. */
  cut(count) {
    if (this.z.length <= count) return this;
    return new Expansion(this.frame, this.a, this.l, this.z.slice(0, count), this.frame.rest(this.z, this.S, count), this.V);
  }

  /** Return the same function with l log w in V, without coefficients. */
  withoutLog() {
    if (this.l.isZero()) return this;
    const V = this.range();
    return new Expansion(this.frame, this.a, Pair.of(ZERO), [], V, V);
  }

  /** Return the same function with the exponent a - d, d > 0. */
  brought(d) {
    const { frame } = this;
    const { order } = frame;
    let n = 0;
    while (n < order && Pair.of(whole(n)).minus(d).sign() < 0) n++;
    const zeros = Array.from({ length: n }, () => frame.coefficient(ZERO));
    const left = d.minus(Pair.of(whole(n)));
    const add = (exponent) => {
      const plain = frame.power(exponent).times(this.V);
      return this.l.isZero() ? plain : plain.plus(this.l.interval().times(frame.powerLog(exponent)));
    };
    const follows = this.l.isZero() && left.isZero();
    const own = follows ? this.cut(Math.max(0, order - n)) : null;
    const z = follows ? [...zeros, ...own.z] : zeros;
    const S = follows ? own.S : add(left);
    const V = add(d).meet(frame.rest(z, S, 0));
    return new Expansion(frame, this.a.minus(d), Pair.of(ZERO), z, S, V);
  }

  plus(other) {
    const d = other.a.minus(this.a);
    const sign = d.sign();
    if (sign > 0) return this.added(other.brought(d));
    return sign < 0 ? other.added(this.brought(d.negative())) : this.added(other);
  }

  added(other) {
    const count = Math.min(this.z.length, other.z.length);
    const [f, g] = [this.cut(count), other.cut(count)];
    const z = f.z.map((x, i) => x.plus(g.z[i]));
    return this.frame.expansion(this.a, this.l.plus(other.l), z, f.S.plus(g.S), f.V.plus(g.V));
  }

  minus(other) {
    return this.plus(other.negative());
  }

  times(other) {
    const [withLog, plain] = this.l.isZero() ? [other, this] : [this, other];
    const a = this.a.plus(other.a);
    if (withLog.l.isZero()) return seriesProduct(this, other).at(a);
    if (!plain.l.isZero() || plain.z.length === 0) {
      return seriesProduct(withLog.withoutLog(), plain.withoutLog()).at(a);
    }
    // l log w (y_0 + w t) = l y_0 log w + w (l t log w)
    const { frame } = this;
    const l = withLog.l.times(plain.z[0]);
    const t = plain.cut(1).S.times(withLog.l.interval());
    const S = t.times(frame.log());
    const V = t.times(frame.powerLog(Pair.of(ONE))).meet(frame.W.times(S));
    const extra = new Expansion(frame, a, l, [frame.coefficient(ZERO)], S, V);
    const product = seriesProduct(new Expansion(frame, withLog.a, Pair.of(ZERO), withLog.z, withLog.S, withLog.V), plain);
    return product.withExponent(a).added(extra);
  }

  /** Return the series with this exponent, brought into its simplest form. */
  at(a) {
    return this.frame.expansion(a, Pair.of(ZERO), this.z, this.S, this.V);
  }

  withExponent(a) {
    return new Expansion(this.frame, a, this.l, this.z, this.S, this.V);
  }

  whole(exponent) {
    let result = this.frame.constant(Pair.of(ONE));
    for (let i = 0; i < exponent; i++) result = result.times(this);
    return result;
  }

  /** Return f^r, r = -1 or no whole number: w^(a r) v^r. */
  power(r) {
    const f = this.withoutLog();
    if (r.equals(ONE.negative()) ? f.V.holdsZero() : !f.V.isAtLeastZero()) throw new Rejected("a power of what may be out of its domain");
    const phi = {
      range: (V) => powerOfInterval(V, r),
      smooth: (hull) => (r.equals(ONE.negative()) ? !hull.holdsZero() : hull.isPositive()),
      derivative: (x, i) => scaledBy(x instanceof Interval ? powerOfInterval(x, r.minus(whole(i))) : x.power(r.minus(whole(i))), binomial(r, i)),
    };
    return f.composed(phi).withExponent(this.a.times(Pair.of(r)));
  }

  inverse() {
    return this.power(ONE.negative());
  }

  log() {
    const f = this.withoutLog();
    if (!f.V.isPositive()) throw new Rejected("the logarithm of what may not be positive");
    const phi = {
      range: (V) => V.log(),
      smooth: (hull) => hull.isPositive(),
      derivative: (x, i) => {
        if (i === 0) return x.log();
        const power = x instanceof Interval ? wholePower(x, i).inverse() : x.whole(i).inverse();
        return scaledBy(power, ONE.over(whole(i % 2 === 1 ? i : -i)));
      },
    };
    const v = f.composed(phi);
    return this.frame.expansion(Pair.of(ZERO), this.a, v.z, v.S, v.V);
  }

  exp() {
    const sign = this.a.sign();
    let f = this;
    if (sign > 0) f = this.brought(this.a);
    if (sign < 0) {
      const V = this.frame.power(this.a).times(this.range());
      f = new Expansion(this.frame, Pair.of(ZERO), Pair.of(ZERO), [], V, V);
    }
    const phi = {
      range: (V) => V.exp(),
      smooth: () => true,
      derivative: (x, i) => scaledBy(x.exp(), ONE.over(factorial(i))),
    };
    return f.composed(phi).withExponent(f.l);
  }

  /** Return phi(v), by Taylor's formula with Lagrange's rest and Horner's rule. */
  composed(phi) {
    const { frame, z, S, V } = this;
    const zero = Pair.of(ZERO);
    const range = phi.range(V);
    const hull = z.length > 0 ? V.hull(asInterval(z[0])) : V;
    if (z.length === 0 || !phi.smooth(hull)) return new Expansion(frame, zero, zero, [], range, range);
    const j = z.length;
    const inner = z.slice(1);
    const u = new Expansion(frame, zero, zero, inner, S, frame.rest(inner, S, 0));
    const last = phi.derivative(hull, j);
    let t = new Expansion(frame, zero, zero, [], last, last);
    for (let i = j - 1; i >= 0; i--) {
      const next = seriesProduct(u, t);
      const first = phi.derivative(z[0], i);
      const series = [first, ...next.z];
      t = new Expansion(frame, zero, zero, series, next.S, asInterval(first).plus(frame.W.times(next.V)).meet(frame.rest(series, next.S, 0)));
    }
    return new Expansion(frame, zero, zero, t.z, t.S, t.V.meet(range));
  }

  minimum(other) {
    if (!this.l.isZero() || !other.l.isZero()) throw new Rejected("a minimum of functions with logarithms");
    const d = other.a.minus(this.a);
    const sign = d.sign();
    const f = sign < 0 ? this.brought(d.negative()) : this;
    const g = sign > 0 ? other.brought(d) : other;
    if (f.V.liesAtMost(g.V)) return this;
    if (g.V.liesAtMost(f.V)) return other;
    const V = f.V.minimum(g.V);
    return new Expansion(this.frame, f.a, Pair.of(ZERO), [], V, V);
  }
}

/** Return the product of two series without exponents and logarithms. */
function seriesProduct(f, g) {
  const { frame } = f;
  const j = Math.min(f.z.length, g.z.length);
  const [x, y] = [f.cut(j), g.cut(j)];
  const products = Array.from({ length: Math.max(0, 2 * j - 1) }, () => null);
  x.z.forEach((p, i) => y.z.forEach((q, k) => {
    const term = p.times(q);
    products[i + k] = products[i + k] === null ? term : products[i + k].plus(term);
  }));
  const beyond = frame.rest(products.slice(j), nothing(), 0);
  const P = j > 0 ? frame.rest(x.z, nothing(), 0) : nothing();
  const S = j > 0 ? x.S.times(y.V).plus(P.times(y.S)).plus(beyond) : x.V.times(y.V);
  const z = products.slice(0, j);
  const V = x.V.times(y.V).meet(frame.rest(z, S, 0));
  return new Expansion(frame, Pair.of(ZERO), Pair.of(ZERO), z, S, V);
}

const scaledBy = (x, factor) => x.times(x instanceof Interval ? Interval.of(factor) : Pair.of(factor));

const factorial = (i) => (i <= 1 ? ONE : whole(i).times(factorial(i - 1)));

function binomial(r, i) {
  let value = ONE;
  for (let k = 0; k < i; k++) value = value.times(r.minus(whole(k))).over(whole(k + 1));
  return value;
}


/* Taylor recurrences in fixed point, and their bounds in doubles. Compiled by fixedpoint.py where a C compiler is
   there; never needed.

   A number is a row of digits of radix 2^22, balanced (|digit| <= 2^21 + 1) and kept as doubles; the digit at
   position j weighs 2^(-22 j). A product of two digits is an integer below 2^42 (1 + 2^-19) and sums of at most MOST = 2040
   of them are exact in a double, so a dot product is a handful of multiply-adds without carries: a convolution of
   digits and of orders at once, carried from time to time. Digits of all orders of one entry lie side by side (`fwd`), and in reverse
   (`rev`) for the right factor of a product. Digits that vanish from some order on are not visited (`last`).

   Time is scaled: coefficient k is c_k h^k, so that the polynomial at the end of the step is a sum. In flow_stride it is kept
   2^(rise k) times that, with `rise k / 22` digits less, where the coefficients fall so fast: all begin near the same digit then, and a
   convolution is one loop over all orders.

   Bounds: every sum or product of non-negative doubles here has fewer than 4000 roundings and is multiplied by
   INFLATE = 1 + 1e-11; FLOOR covers underflow. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BITS 22
#define RADIX 4194304.0
#define MOST 2040
#define FAR 48
#define GUARD 2
#define INFLATE (1 + 1e-11)
#define FLOOR 1e-290
#define PIECES 64
#define SPAN 512
#define DEPTH 64

typedef double lanes __attribute__((vector_size(32), aligned(8)));

/* KEEP: keep a value in a register instead of loading it again. ADD: s += u v; the numbers are integers and the result is
   exact, fused or not. (The rest is compiled without fused operations, so that plans do not depend on the processor.) */
#if defined(__AVX__)
#define KEEP(v) __asm__("" : "+x"(v))
#else
#define KEEP(v) (void)0
#endif
#if defined(__FMA__)
#include <immintrin.h>
#define ADD(s, u, v) ((s) = (lanes)_mm256_fmadd_pd((__m256d)(u), (__m256d)(v), (__m256d)(s)))
#else
#define ADD(s, u, v) ((s) += (u) * (v))
#endif

enum { INPUT, SPEED, CONST, DOT, SUM };

typedef struct {
    int64_t kind, size;        /* number of places */
    int64_t a, b;              /* operands (operation numbers); for INPUT: a is the source of its derivative */
    int64_t terms, sign;       /* DOT: terms per entry; sign of the product, of b in a sum, of the source */
    int64_t *left, *right;     /* size x terms place numbers of a and b; -1 for zero */
    double *weight, mass;      /* how many entries each place stands for; their sum */
    int64_t top, digits;       /* position of the first digit, number of digits */
    double *fwd, *rev;         /* digits: size x rows x slots; rev is null where no product needs it */
    int64_t used_right;        /* whether rev is needed */
    int64_t rows;              /* three more than digits; the rest is zero */
    int64_t *last;             /* per digit, the last order at which it is not zero; -1 if none */
    double gain;               /* bound of the norms of the views of a and b over those of a and b */
    double *shadow, *mirror;   /* the same coefficients as plain doubles, size x slots, and reversed */
    double *held;              /* DOT: sums that are prepared for the next order */
    int64_t single, apart;     /* whether only the newest order need be kept; distance of two digits in `fwd`: 1 if so, else slots */
    int64_t wide;              /* room for orders in `shadow` */
    double entries;            /* INPUT: the number of entries of the state in all its places */
    double *given;             /* CONST: digits from position 0 - FAR on, FAR * 2 + 1 for each place, rounded */
    double *times;             /* DOT: 1, or 2 where the sum of an entry is taken twice */
    int64_t summands;          /* DOT: the most products in an entry, with those that are taken twice */
} op;

/* Digits from..digits-1 of entry e at order k; memory is zero where nothing is stored. */
static void store(op *x, int64_t slots, int64_t e, int64_t k, const double *digit, int64_t from) {
    double *f = x->fwd + e * x->rows * slots + k;
    double *r = x->rev ? x->rev + e * x->rows * slots + (slots - 4 - k) : 0;
    for (int64_t a = from; a < x->digits; a++) {
        if (digit[a] == 0) continue;
        f[a * slots] = digit[a];
        if (r) r[a * slots] = digit[a];
        x->last[a] = k;
    }
}

/* The integer nearest to a number below 2^51. */
#define MAGIC 6755399441055744.0
#define ROUND(v) (((v) + MAGIC) - MAGIC)

/* What of four digits goes to the place before. (The product is exact: fused or not, the result is the same.) */
static inline lanes carry_of(lanes v) {
#if defined(__FMA__)
    return (lanes)_mm256_fmadd_pd((__m256d)v, _mm256_set1_pd(1 / RADIX), _mm256_set1_pd(MAGIC)) - MAGIC;
#else
    return ROUND(v * (1 / RADIX));
#endif
}

typedef int64_t words __attribute__((vector_size(32), aligned(8)));

/* 2^e. */
static inline double power_of_two(int64_t e) {
    double v;
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    if (e < -1022 || e > 1023) return ldexp(1.0, e < -2000 ? -2000 : e > 2000 ? 2000 : (int)e);
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Few numbers: a call of memset takes longer. */
static inline void clear(lanes *acc, int64_t n) {
    lanes zero = {0};
    KEEP(zero);
    for (int64_t j = 0; j < n; j++) acc[j] = zero;
}

static inline int empty(lanes v) {
    words w = (words)v;
    return (((w[0] | w[1]) | (w[2] | w[3])) << 1) == 0; /* but for signs */
}

/* How many digits order k has. */
static inline int64_t kept(const op *x, int64_t k, int64_t rise) {
    int64_t digits = x->digits - rise * k / BITS;
    return digits > 0 ? digits : 0;
}

/* Carry four numbers acc[0..n) at once, whose digit 0 has position `first`, into order k of the places e.. of x (as many as it
   has); 0 if one does not fit. */
static int settle4(op *x, int64_t slots, int64_t e, int64_t k, lanes *acc, int64_t first, int64_t n, int64_t rise) {
    int64_t lead = x->top - first, begin = 0, many = x->size - e < 4 ? x->size - e : 4;
    lanes carry = {0};
    while (begin < n && empty(acc[begin])) begin++;
    if (x->apart == 1) memset(x->fwd + e * x->rows, 0, (size_t)(many * x->rows) * sizeof(double));
    if (begin == n) {
        for (int64_t c = 0; c < many && x->apart == 1; c++) x->shadow[(e + c) * x->wide + k] = 0;
        return 1;
    }
    begin = begin > 4 ? begin - 4 : 0; /* carries reach three places beyond the first number */
    for (int64_t j = n - 1; j > begin; j--) {
        lanes v = acc[j] + carry;
        carry = carry_of(v);
        acc[j] = v - carry * RADIX;
    }
    acc[begin] += carry;
    for (int64_t j = begin; j < lead && j < n; j++)
        if (!empty(acc[j])) return 0;
    int64_t from = begin > lead ? begin - lead : 0, to = kept(x, k, rise);
    if (n - lead < to) to = n - lead;
    if (x->apart == 1) {
        lanes value = {0};
        for (int64_t a = to - 1; a >= from && a >= -lead; a--) {
            lanes d = acc[lead + a];
            value = value * (1 / RADIX) + d;
            if (!empty(d)) x->last[a] = k;
            for (int64_t c = 0; c < many; c++) x->fwd[(e + c) * x->rows + a] = d[c];
        }
        double weight = power_of_two(-BITS * (x->top + (from > -lead ? from : -lead)) - rise * k);
        for (int64_t c = 0; c < many; c++) {
            x->shadow[(e + c) * x->wide + k] = value[c] * weight;
            if (from == 0 && to > 0 && lead >= 0 && fabs(acc[lead][c]) > RADIX / 2 + 1) return 0;
        }
        return 1;
    }
    for (int64_t c = 0; c < many; c++) {
        double *f = x->fwd + (e + c) * x->rows * slots + k;
        double *r = x->rev ? x->rev + (e + c) * x->rows * slots + (slots - 4 - k) : 0;
        if (from == 0 && to > 0 && lead >= 0 && fabs(acc[lead][c]) > RADIX / 2 + 1) return 0;
        for (int64_t a = from > -lead ? from : -lead; a < to; a++) {
            double d = acc[lead + a][c];
            if (d == 0) continue;
            f[a * slots] = d;
            if (r) r[a * slots] = d;
            x->last[a] = k;
        }
    }
    return 1;
}

/* Carry acc[0..n), whose entry 0 has position `first`, into digits of x; 0 if the number does not fit. */
static int settle(op *x, int64_t slots, int64_t e, int64_t k, double *acc, int64_t first, int64_t n, int64_t rise) {
    int64_t lead = x->top - first, begin = 0;
    double out[SPAN];
    while (begin < n && acc[begin] == 0) begin++;
    if (begin == n) return 1;
    begin = begin > 4 ? begin - 4 : 0; /* carries reach three places beyond the first number */
    for (int64_t j = n - 1; j > begin; j--) {
        double carry = floor(acc[j] * (1 / RADIX) + 0.5);
        acc[j] -= carry * RADIX;
        acc[j - 1] += carry;
    }
    for (int64_t j = begin; j < lead && j < n; j++)
        if (acc[j] != 0) return 0;
    int64_t from = begin > lead ? begin - lead : 0, to = kept(x, k, rise);
    if (n - lead < to) to = n - lead;
    for (int64_t a = from; a < to; a++) out[a] = lead + a >= 0 ? acc[lead + a] : 0;
    for (int64_t a = to > 0 ? to : 0; a < x->digits; a++) out[a] = 0;
    if (from == 0 && fabs(out[0]) > RADIX / 2 + 1) return 0;
    store(x, slots, e, k, out, from);
    return 1;
}

/* Move what is above a digit, in each lane, to the place before; what is left there is below 2^32. (Position 0 holds nothing.) */
static void loosen(lanes *acc, int64_t n) {
    for (int64_t j = 1; j < n; j++) {
        lanes carry = carry_of(acc[j]);
        acc[j] -= carry * RADIX;
        acc[j - 1] += carry;
    }
}

/* Digits of two factors that do not vanish at some orders: of the left one from `p` at orders m..end-1 (multiples of 4), of the right
   one from `q` at the orders that go with these; `size` sums of places are wanted. */
typedef struct {
    int64_t m, end, p, q, size;
} part;

/* The parts of order k of a product of a and b, up to the sum `most` of places. */
static int64_t divide(const op *a, const op *b, int64_t k, int64_t most, part *parts) {
    int64_t reach[SPAN], count = 0, p = 0, q = b->digits - 1, m;
    for (int64_t j = 0, top = -1; j < b->digits; j++) reach[j] = top = b->last[j] > top ? b->last[j] : top;
    m = k - 3 - reach[q];
    m = m > 0 ? (m + 3) & ~(int64_t)3 : 0;
    while (m <= k) {
        while (p < a->digits && a->last[p] < m) p++;
        while (q > 0 && reach[q - 1] >= k - m - 3) q--;
        if (p == a->digits) break;
        int64_t end = a->last[p] < k ? a->last[p] : k, next = q > 0 ? k - 3 - reach[q - 1] : k + 1;
        end = (end | 3) + 1;
        next = (next + 3) & ~(int64_t)3; /* where more digits of b come in */
        if (next < end) end = next;
        if (p + q <= most) parts[count++] = (part){m, end, p, q, most - p - q + 1};
        m = end;
    }
    return count;
}

/* Pairs of digits (i, j), i < high, j < wide, and i + j < size, at four orders at a time; sums of equal i + j come into one place
   of `at`, and with `two` those for the next order into `then`. The loops over digits are unrolled: all sums stay in registers. */
static inline __attribute__((always_inline)) void pairs(const int high, const int wide, const int size, const int two, const double *p,
                                                        const double *y, int64_t slots, int64_t m, int64_t end, lanes *at, lanes *then) {
    lanes s[7], t[7];
#pragma GCC unroll 8
    for (int i = 0; i < size; i++) s[i] = t[i] = (lanes){0};
    for (; m < end; m += 4)
#pragma GCC unroll 8
        for (int i = 0; i < high; i++) {
            lanes z = *(const lanes *)(p + i * slots + m);
            KEEP(z);
            const int stop = wide < size - i ? wide : size - i;
#pragma GCC unroll 8
            for (int j = 0; j < stop; j++) {
                ADD(s[i + j], z, *(const lanes *)(y + j * slots + m));
                if (two) ADD(t[i + j], z, *(const lanes *)(y + j * slots + m - 1));
            }
        }
#pragma GCC unroll 8
    for (int i = 0; i < size; i++) {
        at[i] += s[i];
        if (two) then[i] += t[i];
    }
}

/* The triangle i + j < n. */
static inline __attribute__((always_inline)) void triangle(int64_t n, const int two, const double *p, const double *y, int64_t slots,
                                                           int64_t m, int64_t end, lanes *at, lanes *then) {
#define CASE(n) case n: pairs(n, n, n, two, p, y, slots, m, end, at, then); break;
    switch (n) { CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) }
#undef CASE
}

/* The rectangle i < 4, j < n. */
static inline __attribute__((always_inline)) void strip(int64_t n, const int two, const double *p, const double *y, int64_t slots,
                                                        int64_t m, int64_t end, lanes *at, lanes *then) {
#define CASE(n) case n: pairs(4, n, n + 3, two, p, y, slots, m, end, at, then); break;
    switch (n) { CASE(1) CASE(2) CASE(3) CASE(4) }
#undef CASE
}

/* The sums for order k of a product, place e, in four lanes; with `two` also those for order k + 1 of all that is known: what is
   not known yet is zero in memory. The two orders are done at once because less is loaded so. The four lanes together are exact
   sums, also taken twice where they are; those for order k + 1 may be increased by half as many products more. */
static inline __attribute__((always_inline)) void gather(const op *x, const op *a, const op *b, int64_t slots, int64_t e, int64_t k,
                                                         int64_t first, int64_t cut, const part *parts, int64_t count, lanes *acc,
                                                         lanes *next, const int two) {
    int64_t n = cut - first + 9, used = 0, bound = x->times[e] > 1 ? MOST / 2 : MOST, back = slots - 4 - k;
    clear(acc, n);
    if (two) clear(next, n);
    for (int64_t t = 0; t < x->terms; t++) {
        int64_t l = x->left[e * x->terms + t], r = x->right[e * x->terms + t];
        if (l < 0 || r < 0) continue;
        for (const part *c = parts; c < parts + count; c++) {
            /* A place gets at most `each` summands from one order. */
            int64_t each = c->size < a->digits - c->p ? c->size : a->digits - c->p, far = c->end - c->m;
            if (each * far > 2 * MOST) far = 4 * (MOST / 2 / each);
            for (int64_t m = c->m, end; m < c->end; m = end) {
                end = c->end < m + far ? c->end : m + far;
                int64_t fresh = each * ((end - m) / 4);
                if (used + fresh > MOST) {
                    loosen(acc, n);
                    if (two) loosen(next, n);
                    used = 1;
                }
                used += fresh;
                const double *p = a->fwd + (l * a->rows + c->p) * slots, *y = b->rev + (r * b->rows + c->q) * slots + back;
                int64_t size = c->size, high = a->digits - c->p, wide = b->digits - c->q, at = a->top + c->p + b->top + c->q - first;
                /* Three rows of zeros behind the digits are there to be read. */
                for (; high > 0 && size > 3 && (size > 7 || size > high + 3 || size > wide + 3); size -= 4, high -= 4, p += 4 * slots, at += 4) {
                    int64_t full = size - 3 < wide ? size - 3 : wide;
                    for (int64_t j = 0; j < full; j += 4)
                        strip(full - j < 4 ? full - j : 4, two, p, y + j * slots, slots, m, end, acc + at + j, next + at + j);
                    if (size - 3 < wide)
                        triangle(3, two, p, y + (size - 3) * slots, slots, m, end, acc + at + size - 3, next + at + size - 3);
                }
                if (high > 0) triangle(size, two, p, y, slots, m, end, acc + at, next + at);
            }
        }
    }
    if (4 * used > bound) loosen(acc, n);
    if (two && 8 * used > bound) loosen(next, n);
}

/* What the sums for order k, held since order k - 1, still miss: the products of orders 0 and k. */
static int complete(const op *x, const op *a, const op *b, int64_t slots, int64_t e, int64_t k, int64_t first, int64_t cut, lanes *acc) {
    int64_t n = cut - first + 9, least = a->digits < b->digits ? a->digits : b->digits, used = 0;
    int64_t most = cut - a->top - b->top < a->digits + b->digits - 2 ? cut - a->top - b->top : a->digits + b->digits - 2;
    int64_t high = a->digits < most + 1 ? a->digits : most + 1, wide = b->digits < most + 1 ? b->digits : most + 1;
    int64_t rows = (high + 3) / 4 * 4, turn = rows + wide, bound = x->times[e] > 1 ? MOST / 2 : MOST;
    double old[SPAN], fresh[SPAN], left[2 * SPAN], right[2 * SPAN]; /* those of b are turned round: digit j at turn - j */
    lanes *at = acc + (a->top + b->top - first);
    if (most < 0) return 1;
    if (16 * least > bound || turn + rows + 4 > SPAN) return 0;
    memset(left, 0, (size_t)(turn + rows + 4) * sizeof(double));
    memset(right, 0, (size_t)(turn + rows + 4) * sizeof(double));
    for (int64_t t = 0; t < x->terms; t++) {
        int64_t l = x->left[e * x->terms + t], r = x->right[e * x->terms + t];
        if (l < 0 || r < 0) continue;
        const double *p = a->fwd + l * a->rows * slots, *y = b->fwd + r * b->rows * slots;
        if ((used += 2 * least) > bound / 8) {
            loosen(acc, n);
            used = 2 * least;
        }
        for (int64_t i = 0; i < rows; i++) {
            old[i] = p[i * slots];
            fresh[i] = p[i * slots + k];
        }
        for (int64_t j = 0; j < wide; j++) {
            left[turn - j] = y[j * slots];
            right[turn - j] = y[j * slots + k];
        }
        for (int64_t i = 0; i < rows; i += 4) {
            lanes u = *(const lanes *)(old + i), v = *(const lanes *)(fresh + i);
            const double *to_old = right + turn + i, *to_fresh = left + turn + i;
            for (int64_t j = i; j <= most; j++) {
                ADD(at[j], u, *(const lanes *)(to_old - j));
                ADD(at[j], v, *(const lanes *)(to_fresh - j));
            }
        }
    }
    return 1;
}

enum { ALONE, EARLY, LATE };

/* Order k of a product. When orders are computed one after another, even ones prepare the next (EARLY), which need less then (LATE). */
static int dot(op *x, const op *a, const op *b, int64_t slots, int64_t k, int when, int64_t rise) {
    int64_t first = (a->top + b->top < x->top ? a->top + b->top : x->top) - 3;
    int64_t cut = x->top + kept(x, k, rise) - 1 + GUARD, n = cut - first + 1, wide = x->top + x->digits + GUARD - first + 8;
    if (wide > SPAN - 4) return 0;
    lanes total[SPAN], room[SPAN], *acc = room;
    part parts[SPAN];
    int64_t count = when == LATE ? 0 : divide(a, b, k, cut - a->top - b->top, parts);
    for (int64_t e = 0; e < x->size; e++) {
        lanes *held = (lanes *)(x->held + e * wide * 4);
        double factor = (double)x->sign * x->times[e];
        if (!(e & 3)) clear(total, n);
        if (when == ALONE) gather(x, a, b, slots, e, k, first, cut, parts, count, acc, acc, 0);
        if (when == EARLY) gather(x, a, b, slots, e, k, first, cut, parts, count, acc, held, 1);
        if (when == LATE && !complete(x, a, b, slots, e, k, first, cut, acc = held)) return 0;
        for (int64_t j = 0; j < n; j++)
            total[j][e & 3] = factor * ((acc[j][0] + acc[j][1]) + (acc[j][2] + acc[j][3]));
        if (((e & 3) == 3 || e + 1 == x->size) && !settle4(x, slots, e & ~(int64_t)3, k, total, first, n, rise)) return 0;
    }
    return 1;
}

static int sum(op *x, const op *a, const op *b, int64_t slots, int64_t k, int64_t rise) {
    int64_t first = a->top < b->top ? a->top : b->top, end = a->top + a->digits;
    if (x->top < first) first = x->top;
    if (b->top + b->digits > end) end = b->top + b->digits;
    int64_t stop = x->top + x->digits + GUARD;
    first -= 2;
    if (stop > end) end = stop;
    if (end - first > SPAN) return 0;
    lanes total[SPAN];
    int64_t at = a->apart == 1 ? 0 : k, also = b->apart == 1 ? 0 : k;
    for (int64_t e = 0; e < x->size; e++) {
        int64_t l = x->left[e], r = x->right[e];
        if (!(e & 3)) clear(total, end - first);
        if (l >= 0)
            for (int64_t i = 0; i < a->digits; i++)
                total[a->top + i - first][e & 3] += a->fwd[(l * a->rows + i) * a->apart + at];
        if (r >= 0)
            for (int64_t i = 0; i < b->digits; i++)
                total[b->top + i - first][e & 3] += (double)x->sign * b->fwd[(r * b->rows + i) * b->apart + also];
        if (((e & 3) == 3 || e + 1 == x->size) && !settle4(x, slots, e & ~(int64_t)3, k, total, first, end - first, rise)) return 0;
    }
    return 1;
}

/* acc times number 2^(-22 shift), carried; `first` moves with it. A number is two digits, so that products with it are exact. */
static void scale(double *acc, int64_t n, double number) {
    double high = floor(number * (1 / RADIX)), low = number - high * RADIX;
    for (int64_t j = 0; j < n; j++) acc[j] = acc[j] * low + (j + 1 < n ? acc[j + 1] * high : 0);
    for (int64_t j = n - 1; j > 0; j--) {
        double carry = floor(acc[j] * (1 / RADIX) + 0.5);
        acc[j] -= carry * RADIX;
        acc[j - 1] += carry;
    }
}

/* Entry e of x at order k := sign times (entry f of s at order m) times up to two factors, over divisor. */
static int proceed(op *x, int64_t e, int64_t k, const op *s, int64_t f, int64_t m, double sign, const double *number,
                   const int64_t *shift, int factors, int64_t divisor, int64_t slots, int64_t rise) {
    double acc[SPAN], quotient[SPAN], inverse = 1 / (double)divisor, rest = 0;
    const double *digit = s->fwd + f * s->rows * slots + m;
    int64_t lead = 3 * factors, zeros = 0; /* a factor below 2^34 reaches two places up, and a carry one */
    while (zeros < s->digits && digit[zeros * slots] == 0) zeros++;
    if (zeros == s->digits) return 1;
    int64_t first = s->top + zeros - lead, n = s->digits - zeros + lead;
    if (n > SPAN - 8) return 0;
    for (int64_t i = 0; i < lead; i++) acc[i] = 0;
    for (int64_t i = zeros; i < s->digits; i++) acc[lead + i - zeros] = sign * digit[i * slots];
    for (int i = 0; i < factors; i++) {
        scale(acc, n, number[i]);
        first += shift[i];
    }
    int64_t end = x->top + kept(x, k, rise) + 1; /* one digit more than is kept */
    if (end <= first) return 1;
    if (end - first > SPAN - 1) return 0;
    for (int64_t j = 0; j < end - first; j++) {
        /* The quotient may be off by one in its last place; the rest stays exact and small. */
        double value = rest * RADIX + (j < n ? acc[j] : 0);
        quotient[j] = floor(value * inverse + 0.5);
        rest = value - quotient[j] * (double)divisor;
    }
    return settle(x, slots, e, k, quotient, first, end - first, rise);
}

/* Order k + 1 of the places e.. (up to four) of an input: its derivative at order k times `number` 2^(-22 shift) over k + 1. */
static int integrate(op *x, int64_t e, int64_t k, const op *s, double number, int64_t shift, int64_t slots, int64_t rise) {
    lanes acc[SPAN], quotient[SPAN], rest = {0};
    int64_t many = x->size - e < 4 ? x->size - e : 4, zeros = s->digits, end = x->top + kept(x, k + 1, rise) + 1;
    double divisor = (double)(k + 1), inverse = 1 / divisor;
    for (int64_t i = 0; i < s->digits && zeros == s->digits; i++)
        if (s->last[i] >= k) zeros = i;
    int64_t n = s->digits - zeros, first = s->top + zeros - 3 + shift, length = end - first;
    if (n == 0 || length <= 0) return 1;
    if (length > SPAN - 1) return 0;
    clear(acc, n);
    for (int64_t c = 0; c < many; c++) {
        int64_t f = x->left[e + c];
        if (f < 0) continue;
        const double *digit = s->fwd + (f * s->rows + zeros) * s->apart + (s->apart == 1 ? 0 : k);
        for (int64_t i = 0; i < n; i++) acc[i][c] = digit[i * s->apart];
    }
    double high = floor(number * (1 / RADIX)), low = (number - high * RADIX) * (double)x->sign;
    high *= (double)x->sign;
    for (int64_t j = 0; j < 2 && j < length; j++) quotient[j] = rest;
    for (int64_t j = 2; j < length; j++) {
        /* The quotient may be off by one in its last place; the rest stays exact and small. Products are below 2^44. */
        lanes value = rest * RADIX;
        if (j > 2 && j - 3 < n) value += acc[j - 3] * low;
        if (j - 2 < n) value += acc[j - 2] * high;
        quotient[j] = ROUND(value * inverse);
        rest = value - quotient[j] * divisor;
    }
    return settle4(x, slots, e, k + 1, quotient, first, length, rise);
}

/* Coefficients 0..order of the inputs and 0..order-1 of the rest; order 0 of inputs, speed and constants is
   given. `number`, `shift`: h (times 2^rise) and -beta h as number 2^(-22 shift), each number below 2^34. Returns 0 where a
   number does not fit. */
int64_t flow_expand(op *ops, int64_t count, int64_t slots, int64_t order, const double *number, const int64_t *shift, int64_t rise) {
    for (int64_t k = 0; k < order; k++) {
        for (int64_t i = 0; i < count; i++) {
            op *x = ops + i;
            if (x->kind == DOT && !dot(x, ops + x->a, ops + x->b, slots, k, k & 1 ? LATE : EARLY, rise)) return 0;
            if (x->kind == SUM && !sum(x, ops + x->a, ops + x->b, slots, k, rise)) return 0;
            if (x->kind == SPEED && k && !proceed(x, 0, k, x, 0, k - 1, -1, number, shift, 2, k, slots, rise)) return 0;
        }
        for (int64_t i = 0; i < count; i++) {
            op *x = ops + i;
            if (x->kind != INPUT) continue;
            for (int64_t e = 0; e < x->size; e += 4)
                if (!integrate(x, e, k, ops + x->a, number[0], shift[0], slots, rise)) return 0;
        }
    }
    return 1;
}

/* Put integers (two's complement, `words` 64-bit words each, little end first), in units of the digit that is `skip` places before
   the last, into order k of x; 0 if one does not fit. */
int64_t flow_load(op *x, int64_t slots, int64_t k, const uint64_t *data, int64_t words, int64_t skip) {
    for (int64_t e = 0; e < x->size; e++, data += words) {
        double digit[SPAN] = {0};
        int64_t carry = 0, negative = (int64_t)(data[words - 1] >> 63);
        if (skip < 0 || skip >= x->digits) return 0;
        for (int64_t a = x->digits - 1 - skip, at = 0; a >= 0; a--, at += BITS) {
            int64_t word = at >> 6, bit = at & 63;
            uint64_t v = word < words ? data[word] >> bit : (negative ? ~(uint64_t)0 : 0);
            if (bit > 64 - BITS) v |= (word + 1 < words ? data[word + 1] : (negative ? ~(uint64_t)0 : 0)) << (64 - bit);
            int64_t d = (int64_t)(v & (((uint64_t)1 << BITS) - 1)) + carry;
            carry = d >= (1 << (BITS - 1));
            digit[a] = (double)(d - (carry << BITS));
        }
        if (carry != negative) return 0;
        for (int64_t at = (x->digits - skip) * BITS, word = at >> 6; word < words; word++) /* nothing but the sign is left */
            if (((int64_t)data[word] >> (word == at >> 6 ? at & 63 : 0)) != -negative) return 0;
        store(x, slots, e, k, digit, 0);
    }
    return 1;
}

/* The sum of the coefficients from..order of x (of all of them: its value at the end of the step), as integers in units
   of the last digit (as in flow_load). */
int64_t flow_endpoint(const op *x, int64_t slots, int64_t from, int64_t order, uint64_t *data, int64_t words) {
    for (int64_t e = 0; e < x->size; e++, data += words) {
        double acc[SPAN] = {0};
        int64_t n = x->digits + 2;
        if (n > SPAN || n * BITS + 32 > 64 * words) return 0;
        for (int64_t a = 0; a < x->digits; a++) {
            const double *f = x->fwd + (e * x->rows + a) * slots;
            for (int64_t k = from; k <= order; k++) acc[a + 2] += f[k];
        }
        memset(data, 0, (size_t)words * 8);
        int64_t carry = 0, at = 0;
        for (int64_t a = n - 1; a >= 0; a--, at += BITS) {
            int64_t v = (int64_t)acc[a] + carry, d = v & (((int64_t)1 << BITS) - 1);
            carry = (v - d) / ((int64_t)1 << BITS);
            data[at >> 6] |= (uint64_t)d << (at & 63);
            if ((at & 63) > 64 - BITS) data[(at >> 6) + 1] |= (uint64_t)d >> (64 - (at & 63));
        }
        for (; at < 64 * words; at += BITS) {  /* the sign */
            uint64_t d = (uint64_t)carry & (((uint64_t)1 << BITS) - 1);
            data[at >> 6] |= d << (at & 63);
            if ((at & 63) > 64 - BITS && (at >> 6) + 1 < words) data[(at >> 6) + 1] |= d >> (64 - (at & 63));
            if (carry != 0 && carry != -1) return 0;
        }
    }
    return 1;
}

/* Carry acc[0..n) and return its value in units of its entry 0. */
static double carried(double *acc, int64_t n) {
    double value = 0;
    for (int64_t j = n - 1; j > 0; j--) {
        double carry = floor(acc[j] * (1 / RADIX) + 0.5);
        acc[j] -= carry * RADIX;
        acc[j - 1] += carry;
    }
    for (int64_t j = n - 1; j >= 0; j--) value = value * (1 / RADIX) + acc[j];
    return value;
}

/* Add a double, in units of digit[0], to a number of n digits; 0 if it does not fit. */
static int increase(double *digit, int64_t n, double change) {
    if (!(fabs(change) < 1e15)) return 0;
    for (int64_t a = 0; a < n && change != 0; a++) {
        double d = floor(change + 0.5);
        digit[a] += d;
        change = (change - d) * RADIX;
    }
    carried(digit, n);
    return fabs(digit[0]) <= RADIX / 2;
}

/* A sum over terms of c_t exp(-w_t time), its coefficients being orders place[t] of the inputs (rising, place[0] = 0), with a
   point in their order place[terms - 1] + 1. w_t is the sum of power[t * rates + v] times rate v, whose digits start at position 0. */
typedef struct {
    int64_t terms, rates, digits;
    int64_t *place, *power;      /* powers: terms x rates */
    int64_t *first;              /* per rate, the term that is its exponential alone */
    double *rate;                /* digits: rates x digits */
    int64_t cells, modes;
    double *mode, *dual, *value; /* cells x modes: vectors and what takes their amplitudes; eigenvalues */
    int64_t *main;               /* per rate, the mode that it belongs to */
} series;

/* The coefficients of the defect, derivative given by the program minus its own, and last the point minus the sum at time 0
   (entries of the inputs x (terms + 1)); and the coefficients themselves (x terms). What was computed is returned with a relative error
   below 1e-12. Products beyond the last place are left out, and those of different terms may share a place. */
int64_t flow_defect(op *ops, int64_t count, int64_t slots, const series *s, double *out, double *known) {
    int64_t terms = s->terms, last = s->place[terms - 1];
    for (int64_t i = 0; i < count; i++) {
        op *x = ops + i;
        if (x->kind != DOT && x->kind != SUM) continue;
        memset(x->fwd, 0, (size_t)(x->size * x->rows * slots) * sizeof(double));
        if (x->rev) memset(x->rev, 0, (size_t)(x->size * x->rows * slots) * sizeof(double));
        for (int64_t a = 0; a < x->rows; a++) x->last[a] = -1;
    }
    for (int64_t t = 0; t < terms; t++)
        for (int64_t i = 0; i < count; i++) {
            op *x = ops + i;
            if (x->kind == DOT && !dot(x, ops + x->a, ops + x->b, slots, s->place[t], ALONE, 0)) return 0;
            if (x->kind == SUM && !sum(x, ops + x->a, ops + x->b, slots, s->place[t], 0)) return 0;
        }
    for (int64_t i = 0; i < count; i++) {
        op *x = ops + i;
        if (x->kind != INPUT) continue;
        const op *f = ops + x->a;
        int64_t first = (x->top < f->top ? x->top : f->top) - 3, n = x->top + x->digits + s->digits - first;
        if (f->top + f->digits - first > n) n = f->top + f->digits - first;
        if (n > SPAN || s->digits > SPAN) return 0;
        double unit = power_of_two(-BITS * first), mine = power_of_two(-BITS * x->top);
        for (int64_t e = 0; e < x->size; e++, out += terms + 1, known += terms) {
            const double *c = x->fwd + e * x->rows * slots;
            double gap[SPAN], acc[SPAN], own[SPAN], fall[SPAN];
            memset(gap, 0, (size_t)n * sizeof(double));
            for (int64_t t = 0; t < terms; t++) {
                int64_t k = s->place[t];
                memset(acc, 0, (size_t)n * sizeof(double));
                memset(fall, 0, (size_t)s->digits * sizeof(double));
                for (int64_t v = 0; v < s->rates; v++)
                    for (int64_t j = 0; j < s->digits; j++) fall[j] += (double)s->power[t * s->rates + v] * s->rate[v * s->digits + j];
                if (x->left[e] >= 0)
                    for (int64_t a = 0; a < f->digits; a++)
                        acc[f->top + a - first] += (double)x->sign * f->fwd[(x->left[e] * f->rows + a) * slots + k];
                for (int64_t a = 0; a < x->digits; a++) {
                    double v = own[a] = c[a * slots + k];
                    gap[x->top + a - first] -= v;
                    if (v != 0 && t)
                        for (int64_t j = 0; j < s->digits; j++) acc[x->top + a + j - first] += v * fall[j];
                }
                out[t] = carried(acc, n) * unit;
                known[t] = carried(own, x->digits) * mine;
            }
            for (int64_t a = 0; a < x->digits; a++) gap[x->top + a - first] += c[a * slots + last + 1];
            out[terms] = carried(gap, n) * unit;
        }
    }
    return 1;
}

/* Corrections of such a sum and of its rates that take away a defect, in eigenvectors at the limit alone. d: as from flow_defect, used
   up; c: the coefficients. step: the corrections, turn: of the rates; left: what is missed at time 0 then, in each mode. Returns the
   size, infinite where it is out of range. */
static double solved(const series *s, double *d, const double *c, double *step, double *turn, double *left) {
    int64_t terms = s->terms, cells = s->cells, modes = s->modes;
    double speed[8], size = 0;
    const double *mode = s->mode, *dual = s->dual;
    for (int64_t v = 0; v < s->rates; v++) {
        double own = 0, bad = 0;
        speed[v] = 0;
        for (int64_t j = s->digits - 1; j >= 0; j--) speed[v] = speed[v] / RADIX + s->rate[v * s->digits + j];
        for (int64_t e = 0; e < cells; e++) {
            own += dual[e * modes + s->main[v]] * c[e * terms + s->first[v]];
            bad += dual[e * modes + s->main[v]] * d[e * (terms + 1) + s->first[v]];
        }
        turn[v] = -bad / own; /* the change of the rate, from its mode in its own term */
    }
    for (int64_t t = 0; t < terms; t++) {
        double fall = 0, more = 0;
        for (int64_t v = 0; v < s->rates; v++) {
            fall += (double)s->power[t * s->rates + v] * speed[v];
            more += (double)s->power[t * s->rates + v] * turn[v];
        }
        memset(left, 0, (size_t)modes * sizeof(double));
        for (int64_t e = 0; e < cells; e++) {
            double v = d[e * (terms + 1) + t] += more * c[e * terms + t];
            for (int64_t j = 0; j < modes; j++) left[j] += dual[e * modes + j] * v;
        }
        for (int64_t j = 0; j < modes; j++) {
            int own = 0;
            for (int64_t v = 0; v < s->rates; v++) own |= t == s->first[v] && j == s->main[v];
            left[j] = own ? left[j] / fall : left[j] / (s->value[j] - fall) + (t ? left[j] / fall : 0);
        }
        for (int64_t e = 0; e < cells; e++) {
            double v = t ? -d[e * (terms + 1) + t] / fall : 0;
            for (int64_t j = 0; j < modes; j++) v += mode[e * modes + j] * left[j];
            step[e * terms + t] = v;
            d[e * (terms + 1) + terms] -= v;
        }
    }
    memset(left, 0, (size_t)modes * sizeof(double));
    for (int64_t e = 0; e < cells; e++)
        for (int64_t j = 0; j < modes; j++) left[j] += dual[e * modes + j] * d[e * (terms + 1) + terms];
    for (int64_t e = 0; e < cells; e++) {
        double v = d[e * (terms + 1) + terms], total = 0, *mine = step + e * terms;
        for (int64_t j = 0; j < modes; j++) v -= mode[e * modes + j] * left[j];
        mine[0] += v;
        for (int64_t v = 0; v < s->rates; v++) mine[s->first[v]] += mode[e * modes + s->main[v]] * left[s->main[v]];
        for (int64_t t = 0; t < terms; t++) total += fabs(mine[t]);
        if (!(total < 1e15)) return INFINITY;
        if (total > size) size = total;
    }
    return size;
}

/* What is left of a defect d after corrections `step` and `turn` of a sum with coefficients c, to first order. value, change:
   room for terms doubles for each place of each operation; `value` holds the coefficients of all operations. */
static void linearised(const op *ops, int64_t count, const series *s, const double *d, const double *c, const double *step,
                       const double *turn, const double *value, double *change, int64_t *at, double *out) {
    int64_t terms = s->terms, begin[256];
    for (int64_t i = 0, n = 0; i < count; n += ops[i].size * terms, i++) begin[i] = n;
    for (int64_t t = 0; t < terms; t++) /* at: the term that goes with term m to term t */
        for (int64_t m = 0; m < terms; m++) {
            at[t * terms + m] = -1;
            for (int64_t n = 0; n < terms; n++)
                if (s->place[m] + s->place[n] == s->place[t]) at[t * terms + m] = n;
        }
    const double *next = step;
    for (int64_t i = 0; i < count; i++) {
        const op *x = ops + i;
        double *mine = change + begin[i];
        if (x->kind == INPUT) {
            memcpy(mine, next, (size_t)(x->size * terms) * sizeof(double));
            next += x->size * terms;
            continue;
        }
        memset(mine, 0, (size_t)(x->size * terms) * sizeof(double));
        for (int64_t e = 0; e < x->size; e++, mine += terms) {
            if (x->kind == SUM) {
                for (int64_t t = 0; t < terms; t++) {
                    if (x->left[e] >= 0) mine[t] += change[begin[x->a] + x->left[e] * terms + t];
                    if (x->right[e] >= 0) mine[t] += (double)x->sign * change[begin[x->b] + x->right[e] * terms + t];
                }
            } else if (x->kind == DOT) {
                for (int64_t u = 0; u < x->terms; u++) {
                    int64_t l = x->left[e * x->terms + u], r = x->right[e * x->terms + u];
                    if (l < 0 || r < 0) continue;
                    const double *a = value + begin[x->a] + l * terms, *b = value + begin[x->b] + r * terms;
                    const double *p = change + begin[x->a] + l * terms, *q = change + begin[x->b] + r * terms;
                    for (int64_t t = 0; t < terms; t++) {
                        double total = 0;
                        for (int64_t m = 0; m < terms; m++) {
                            int64_t n = at[t * terms + m];
                            if (n >= 0) total += a[m] * q[n] + p[m] * b[n];
                        }
                        mine[t] += (double)x->sign * x->times[e] * total;
                    }
                }
            }
        }
    }
    for (int64_t i = 0; i < count; i++) {
        const op *x = ops + i;
        if (x->kind != INPUT) continue;
        for (int64_t e = 0; e < x->size; e++, out += terms + 1, d += terms + 1, c += terms, step += terms) {
            out[terms] = d[terms];
            for (int64_t t = 0; t < terms; t++) {
                double fall = 0, more = 0;
                for (int64_t v = 0; v < s->rates; v++) {
                    double rate = 0;
                    for (int64_t j = s->digits - 1; j >= 0; j--) rate = rate / RADIX + s->rate[v * s->digits + j];
                    fall += (double)s->power[t * s->rates + v] * rate;
                    more += (double)s->power[t * s->rates + v] * turn[v];
                }
                out[t] = d[t] + fall * step[t] + more * c[t];
                if (x->left[e] >= 0) out[t] += (double)x->sign * change[begin[x->a] + x->left[e] * terms + t];
                out[terms] -= step[t];
            }
        }
    }
}

/* One round of the iteration of exponential.py on such a sum and its rates. A search, without bounds. The defect is computed in full;
   the equations of its linear part are solved in doubles, by an iteration with those of the eigenvectors. out: the size of the
   correction, what the sum misses at time 0 in modes without a rate, most of it in which, the largest coefficient of each term. `work`:
   cells (7 terms + 4) + 2 modes + 2 terms (places of all operations) + terms^2 doubles. 0 where a number does not fit. */
int64_t flow_correct(op *ops, int64_t count, int64_t slots, series *s, double *out, double *work) {
    int64_t terms = s->terms, cells = s->cells, modes = s->modes, wide = cells * (terms + 1), all = 0;
    double *d = work, *rest = d + wide, *spent = rest + wide, *c = spent + wide, *step = c + cells * terms, *part = step + cells * terms;
    double *whole = part + cells * terms, *left = whole + cells * terms, *more = left + modes, *value = more + modes, turn[8], sum_of[8] = {0};
    if (s->rates > 8 || !flow_defect(ops, count, slots, s, d, c)) return 0;
    for (int64_t i = 0; i < count; i++) all += ops[i].size;
    double *change = value + all * terms, size = INFINITY, last = INFINITY;
    int64_t *at = (int64_t *)(change + all * terms);
    int inner = count <= 256 && all * terms < 1 << 14 ? 6 : 1;
    if (inner > 1) {
        double *v = value;
        for (int64_t i = 0; i < count; i++) {
            const op *x = ops + i;
            double unit = power_of_two(-BITS * (x->top + x->digits - 1));
            for (int64_t e = 0; e < x->size; e++)
                for (int64_t t = 0; t < terms; t++, v++) {
                    const double *f = x->fwd + e * x->rows * slots + s->place[t];
                    *v = 0;
                    for (int64_t a = 0; a < x->digits; a++) *v = *v * RADIX + f[a * slots];
                    *v *= unit;
                }
        }
    }
    memset(whole, 0, (size_t)(cells * terms) * sizeof(double));
    memcpy(rest, d, (size_t)wide * sizeof(double));
    for (int n = 0; n < inner; n++) {
        memcpy(spent, rest, (size_t)wide * sizeof(double));
        size = solved(s, spent, c, step, turn, more);
        if (n == 0 && !(size < INFINITY)) return 0;
        if (!(size < last / 2)) break;
        last = size;
        memcpy(left, more, (size_t)modes * sizeof(double));
        for (int64_t i = 0; i < cells * terms; i++) whole[i] += step[i];
        for (int64_t v = 0; v < s->rates; v++) sum_of[v] += turn[v];
        if (n + 1 < inner) linearised(ops, count, s, d, c, whole, sum_of, value, change, at, rest);
    }
    memset(out, 0, (size_t)(terms + 3) * sizeof(double));
    for (int64_t e = 0; e < cells; e++) {
        double total = 0;
        for (int64_t t = 0; t < terms; t++) {
            total += fabs(whole[e * terms + t]);
            if (fabs(c[e * terms + t]) > out[3 + t]) out[3 + t] = fabs(c[e * terms + t]);
        }
        if (total > out[0]) out[0] = total;
    }
    for (int64_t v = 0; v < s->rates; v++) left[s->main[v]] = 0;
    for (int64_t j = 0; j < modes; j++)
        if (fabs(left[j]) > out[1]) {
            out[1] = fabs(left[j]);
            out[2] = (double)j;
        }
    for (int64_t i = 0; i < count; i++) {
        op *x = ops + i;
        if (x->kind != INPUT) continue;
        double unit = power_of_two(BITS * x->top);
        for (int64_t e = 0; e < x->size; e++, whole += terms)
            for (int64_t t = 0; t < terms; t++) {
                int64_t k = s->place[t];
                double *f = x->fwd + e * x->rows * slots + k, *r = x->rev ? x->rev + e * x->rows * slots + (slots - 4 - k) : 0, acc[SPAN];
                for (int64_t a = 0; a < x->digits; a++) acc[a] = f[a * slots];
                if (!increase(acc, x->digits, whole[t] * unit)) return 0;
                for (int64_t a = 0; a < x->digits; a++) {
                    f[a * slots] = acc[a];
                    if (r) r[a * slots] = acc[a];
                    if (acc[a] != 0 && x->last[a] < k) x->last[a] = k;
                }
            }
    }
    for (int64_t v = 0; v < s->rates; v++)
        if (!increase(s->rate + v * s->digits, s->digits, sum_of[v])) return 0;
    return 1;
}

/* Doubles of all coefficients of all operations, from their digits: `shadow` (size x wide), relative error below
   1e-12. (Those of which only the newest order is kept have them already.) */
void flow_shadow(op *ops, int64_t count, int64_t slots, int64_t wide, int64_t order, int64_t rise) {
    for (int64_t i = 0; i < count; i++) {
        op *x = ops + i;
        for (int64_t e = 0; e < x->size && x->apart != 1; e++) {
            double *v = x->shadow + e * wide;
            memset(v, 0, (size_t)wide * sizeof(double));
            for (int64_t a = x->digits - 1; a >= 0; a--) {
                const double *f = x->fwd + (e * x->rows + a) * slots, weight = power_of_two(-BITS * (x->top + a));
                int64_t end = x->last[a] < order ? x->last[a] : order;
                for (int64_t k = 0; k <= end; k++) v[k] += f[k] * weight;
            }
            for (int64_t k = 1; rise && k <= order; k++) v[k] *= power_of_two(-rise * k);
        }
    }
}

/* Frobenius norms of the coefficients, places counted by their weights: norms[i * slots + k], upper bounds if `shadow` comes from flow_shadow. */
void flow_norms(const op *ops, int64_t count, int64_t slots, int64_t order, double *norms) {
    for (int64_t i = 0; i < count; i++) {
        const op *x = ops + i;
        int64_t last = x->kind == INPUT ? order : x->kind == CONST ? 0 : order - 1;
        double *mine = norms + i * slots;
        memset(mine, 0, (size_t)slots * sizeof(double));
        for (int64_t e = 0; e < x->size; e++) {
            const double *v = x->shadow + e * slots, weight = x->weight[e];
            for (int64_t k = 0; k <= last; k++) mine[k] += weight * v[k] * v[k];
        }
        for (int64_t k = 0; k <= last; k++) {
            double total = mine[k];
            if (total > 1e-270 && total < 1e270) {
                mine[k] = sqrt(total) * INFLATE + FLOOR;
                continue;
            }
            double largest = 0; /* the squares may be out of range */
            for (int64_t e = 0; e < x->size; e++) {
                double v = fabs(x->shadow[e * slots + k]);
                if (!(v <= largest)) largest = v;
            }
            mine[k] = total = 0;
            if (largest == 0) continue;
            for (int64_t e = 0; e < x->size; e++) {
                double v = x->shadow[e * slots + k] / largest;
                total += x->weight[e] * v * v;
            }
            mine[k] = largest * sqrt(total) * INFLATE + FLOOR;
        }
    }
}

/* Coefficients from..order in plain doubles (not rigorous), for the choice of order, length and digits. Order 0 of inputs and
   constants is given in `shadow`, and that of operation `known` (-1: none); h and rate = -beta h. */
static void sketch(op *ops, int64_t count, int64_t slots, int64_t from, int64_t order, double h, double rate, int64_t known) {
    for (int64_t i = 0; i < count && from == 0; i++) {
        op *x = ops + i;
        if (x->kind == SPEED) x->shadow[0] = 1;
        for (int64_t e = 0; e < x->size; e++) {
            x->mirror[e * slots + slots - 4] = x->shadow[e * slots];
            memset(x->shadow + e * slots + 1, 0, (size_t)(slots - 1) * sizeof(double));
        }
    }
    for (int64_t k = from; k < order; k++) {
        for (int64_t i = 0; i < count; i++) {
            op *x = ops + i;
            if (x->kind == SPEED && k) x->shadow[k] = x->shadow[k - 1] * rate / (double)k;
            if ((x->kind == DOT || x->kind == SUM) && (k || i != known)) {
                const op *a = ops + x->a, *b = ops + x->b;
                for (int64_t e = 0; e < x->size; e++) {
                    double total = 0;
                    if (x->kind == SUM) {
                        if (x->left[e] >= 0) total += a->shadow[x->left[e] * slots + k];
                        if (x->right[e] >= 0) total += (double)x->sign * b->shadow[x->right[e] * slots + k];
                    } else {
                        lanes s = {0}, more = {0};
                        for (int64_t t = 0; t < x->terms; t++) {
                            int64_t l = x->left[e * x->terms + t], r = x->right[e * x->terms + t], m = 0;
                            if (l < 0 || r < 0) continue;
                            /* Beyond k there are zeros in both. */
                            const double *p = a->shadow + l * slots, *y = b->mirror + r * slots + (slots - 4 - k);
                            for (; m + 4 <= k; m += 8) {
                                s += *(const lanes *)(p + m) * *(const lanes *)(y + m);
                                more += *(const lanes *)(p + m + 4) * *(const lanes *)(y + m + 4);
                            }
                            if (m <= k) s += *(const lanes *)(p + m) * *(const lanes *)(y + m);
                        }
                        s += more;
                        total = (double)x->sign * x->times[e] * ((s[0] + s[1]) + (s[2] + s[3]));
                    }
                    x->shadow[e * slots + k] = total;
                }
            }
            if (x->kind != INPUT && x->kind != CONST)
                for (int64_t e = 0; e < x->size; e++) x->mirror[e * slots + slots - 4 - k] = x->shadow[e * slots + k];
        }
        for (int64_t i = 0; i < count; i++) {
            op *x = ops + i;
            if (x->kind != INPUT) continue;
            for (int64_t e = 0; e < x->size; e++) {
                double v = x->left[e] < 0 ? 0
                    : (double)x->sign * ops[x->a].shadow[x->left[e] * slots + k] * h / (double)(k + 1);
                x->shadow[e * slots + k + 1] = x->mirror[e * slots + slots - 4 - (k + 1)] = v;
            }
        }
    }
}

static double unit(const op *x) { return power_of_two(-BITS * (x->top + x->digits - 1)); }

/* Bounds on a step of relative length x (1: the whole): the program applied to the polynomials of the inputs is,
   for each operation, what was computed plus a rest of orders below N (bounded by low_rest; it comes from rounding)
   plus a rest of orders from N on (high_rest). Returns h times the bound of the last one for the derivative.
   rate: |beta| h. With exact = 0 rounding is left out. */
double flow_rest(const op *ops, int64_t count, int64_t slots, int64_t order, double x, double rate, int64_t exact,
                 const double *norms, double *low_rest, double *high_rest, double *low, double *scratch) {
    double n = (double)order, *power = scratch, *suffix = scratch + slots, total = 0, rounding = 0;
    power[0] = 1;
    for (int64_t k = 1; k <= order; k++) power[k] = power[k - 1] * x;
    for (int64_t i = 0; i < count; i++) {
        const op *o = ops + i;
        const double *mine = norms + i * slots;
        double sum_low = 0, rest = 0, high = 0, drop = exact && o->kind != INPUT ? unit(o) * 0.51 : 0;
        for (int64_t k = 0; k < order; k++) sum_low += mine[k] * power[k];
        low[i] = sum_low * INFLATE + FLOOR;
        if (o->kind == INPUT) {
            high = mine[order] * power[order];
        } else if (o->kind == CONST) {
            rest = drop * sqrt(o->mass);
        } else if (o->kind == SPEED) {
            double z = rate * x;
            high = exp(z);
            for (int64_t k = 1; k <= order; k++) high = high * z / (double)k + 1e-300;
            high *= n + 1; /* room for a checker that takes the rest of the exponential as constant in time */
            rest = n * 2 * drop * exp(z);
        } else {
            double ra = low_rest[o->a], rb = low_rest[o->b], ha = high_rest[o->a], hb = high_rest[o->b];
            if (o->kind == SUM) {
                rest = o->gain * (ra + rb);
                high = o->gain * (ha + hb);
                rest += n * drop * sqrt(o->mass);
            } else {
                const double *p = norms + o->a * slots, *q = norms + o->b * slots;
                double cross = 0, running = 0, la = low[o->a], lb = low[o->b];
                for (int64_t k = order - 1; k > 0; k--) {
                    running += q[k] * power[k];
                    suffix[k] = running;
                }
                for (int64_t k = 1; k < order; k++) cross += p[k] * power[k] * suffix[order - k];
                cross = cross * INFLATE + FLOOR;
                high = o->gain * (cross + ha * (lb + rb) + (la + ra) * hb + ha * hb);
                rest = o->gain * (ra * lb + la * rb + ra * rb);
                if (exact) {
                    /* dropped pairs of digits: positions from the last one kept + GUARD + 1 on */
                    double least = (double)(ops[o->a].digits < ops[o->b].digits ? ops[o->a].digits : ops[o->b].digits);
                    double pairs = least * 0.2501 * unit(o) * ldexp(1.0, -BITS * (GUARD - 1));
                    rest += (n * drop + (double)o->summands * n * (n + 1) / 2 * pairs) * sqrt(o->mass);
                }
            }
        }
        low_rest[i] = exact ? rest * INFLATE + FLOOR : 0;
        high_rest[i] = high * INFLATE + FLOOR;
    }
    for (int64_t i = 0; i < count; i++)
        if (ops[i].kind == INPUT) {
            double high = ops[i].gain * high_rest[ops[i].a], rest = ops[i].gain * low_rest[ops[i].a];
            total = hypot(total, high); /* squares would vanish below 1e-154 */
            rounding = hypot(rounding, rest);
        }
    scratch[0] = rounding * INFLATE + FLOOR;
    return total * INFLATE + FLOOR;
}

/* The relative length x <= largest of a step of this order whose local error h x / (N + 1) times the rest is about
   2^goal, without rounding; 0 if there is none. The search begins at x. */
double flow_length(const op *ops, int64_t count, int64_t slots, int64_t order, double h, double rate, double goal,
                   double x, double largest, const double *norms, double *work) {
    double *low_rest = work, *high_rest = work + count, *low = work + 2 * count, *scratch = work + 3 * count;
    double good = 0, bad = INFINITY;
    for (int round = 0; round < 40; round++) {
        double rest = flow_rest(ops, count, slots, order, x, rate, 0, norms, low_rest, high_rest, low, scratch);
        double excess = log2(rest) + log2(h * x / (double)(order + 1)) - goal, change = -1;
        if (excess <= 0) {
            if (x >= largest || excess > -2) return x;
            if (x > good) good = x;
        } else if (x < bad) {
            bad = x;
        }
        if (excess < 1e9) change = fmin(3, -(excess + 0.3) / (double)(order + 1));
        x = fmin(x * exp2(change), largest);
        if (good > 0 && bad < INFINITY && (round > 8 || x <= good || x >= bad)) x = sqrt(good * bad);
        if (!(x > 1e-200)) return 0;
    }
    return good;
}

/* log2 of a positive normal number, within a tenth. */
static inline double roughly_log2(double v) {
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (double)bits * 0x1p-52 - 1023;
}

/* By how many bits the coefficients of the inputs times `power` may be increased from order to order, with at most one digit more
   than without; top: the first digits, which are adapted. */
static int64_t rising(const op *ops, int64_t count, int64_t slots, int64_t order, const double *norms, const double *power, int64_t *top) {
    double most = 4;
    for (int64_t i = 0; i < count && most >= 1; i++) {
        double room = BITS * (1 - (double)top[i]) + BITS - 3;
        if (ops[i].kind != INPUT || top[i] == 1000000) continue;
        for (int64_t k = 1; k <= order; k++) {
            double v = norms[i * slots + k] * power[k];
            if (v > 1e-300) most = fmin(most, (room - roughly_log2(v) - 0.1) / (double)k);
        }
    }
    if (most < 1) return 0;
    int64_t rise = (int64_t)most;
    for (int64_t i = 0; i < count; i++) {
        double largest = -1e9;
        for (int64_t k = 0; k <= order; k++) {
            double v = norms[i * slots + k] * power[k];
            if (v > 1e-300) largest = fmax(largest, roughly_log2(v) + 0.1 + (double)(rise * k));
        }
        if (largest > -1e9) top[i] = (int64_t)floor((BITS - 3 - largest) / BITS);
    }
    return rise;
}

/* First and last digits of every operation for a step of relative length x, such that rounding stays below about
   2^goal (heuristic); the last digit of inputs is at least `least`. Returns an estimate of the work: pairs of digits that
   are not zero, summed over all products of coefficients. rise: if not null, by how many bits an order may be
   increased each time is chosen, and room made for it. */
double flow_places(const op *ops, int64_t count, int64_t slots, int64_t order, double x, double h, double goal, int64_t least,
                   const double *norms, double *work, int64_t *top, int64_t *last, int64_t *rise) {
    double *weight = work, *low = work + count, *digits = work + 2 * count, *power = work + 3 * count, pairs = 0;
    double share = goal - log2((double)count * (double)order);
    power[0] = 1;
    for (int64_t k = 1; k <= order; k++) power[k] = power[k - 1] * x;
    for (int64_t i = 0; i < count; i++) {
        double largest = 0;
        low[i] = weight[i] = 0;
        for (int64_t k = 0; k <= order; k++) {
            double v = norms[i * slots + k] * power[k];
            if (!(v <= largest)) largest = v;
            low[i] += v;
        }
        if (!(low[i] < 1e300)) return INFINITY;
        top[i] = largest > 0 ? (int64_t)floor((BITS - 3 - log2(largest)) / BITS) : 1000000;
    }
    if (rise) *rise = rising(ops, count, slots, order, norms, power, top);
    for (int64_t i = 0; i < count; i++)
        if (ops[i].kind == INPUT) weight[ops[i].a] += h;
    for (int64_t i = count - 1; i >= 0; i--) {
        const op *o = ops + i;
        if (o->kind == SUM) {
            weight[o->a] += weight[i];
            weight[o->b] += weight[i];
        } else if (o->kind == DOT) {
            weight[o->a] += weight[i] * low[o->b] * o->gain;
            weight[o->b] += weight[i] * low[o->a] * o->gain;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        const op *o = ops + i;
        if (o->kind == INPUT) {
            last[i] = (int64_t)ceil((3 - share) / BITS);
            if (last[i] < least) last[i] = least;
        } else {
            double factor = weight[i] * sqrt(o->mass);
            last[i] = factor > 1e-270 ? (int64_t)ceil((log2(factor) + (o->kind == SPEED ? (double)order / 4 : 0) - share) / BITS) : -45;
        }
        if (top[i] > last[i]) top[i] = last[i];
        if (top[i] < -45) top[i] = -45;
        if (last[i] < top[i]) last[i] = top[i];
        digits[i] = 0;
        double unit = power_of_two(BITS * last[i]);
        for (int64_t k = 1; k <= order; k++) {
            double v = norms[i * slots + k] * power[k] * unit;
            if (v > 1) digits[i] += roughly_log2(v) / BITS;
        }
    }
    for (int64_t i = 0; i < count; i++)
        if (ops[i].kind == DOT) {
            /* Pairs beyond the last digit of the product are not computed. */
            double a = digits[ops[i].a], b = digits[ops[i].b], kept = 2 * digits[i] / (a + b + 1e-9);
            pairs += (double)(ops[i].size * ops[i].terms) * (a * b * (kept < 1 ? kept * kept : 1) + (double)order);
        }
    return pairs;
}

/* sum over k = 1..last of norms_k s^k at s = i / PIECES, i = 1..PIECES. */
void flow_profile(const double *norms, int64_t last, double *out) {
    for (int64_t i = 0; i < PIECES; i += 16) {
        lanes s[4] = {{0}}, total[4] = {{0}};
        for (int j = 0; j < 16; j++) s[j / 4][j % 4] = (double)(i + j + 1) / PIECES;
        for (int64_t k = last; k > 0; k--)
            for (int j = 0; j < 4; j++) total[j] = (total[j] + norms[k]) * s[j];
        for (int j = 0; j < 16; j++) out[i + j] = total[j / 4][j % 4] * INFLATE + FLOOR;
    }
}

/* A program with its memory, as flow_plan and flow_layout see it. */
typedef struct {
    op *ops;
    int64_t count, slots;
    double *norms, *work;
    int64_t *input, inputs, residual;
    const struct frame *frame;
    double *rests, *radii, *tubes; /* room: 3 x count, 3 x count x slots, and as flow_tube says */
    int64_t *top, *last;           /* digits of every operation */
} book;

typedef struct {
    double tau, goal;    /* log2 of the local error and of the rounding that are aimed at */
    double slack;        /* bits by which the sketch is expected to overestimate the local error */
    double limit;        /* length in t that the step must stay below */
    double cells, price; /* number of entries of the state; what a pair of digits costs */
    int64_t unit, probe, orders;
    const int64_t *order;
    int64_t usual, sure; /* the number of the order that is likely; whether to look at no other */
} wish;

static void draft(book *b, const double *state, const double *known, int64_t order, double h, double rate) {
    for (int64_t i = 0; i < b->inputs; i++) {
        op *x = b->ops + b->input[i];
        for (int64_t e = 0; e < x->size; e++) x->shadow[e * b->slots] = *state++;
    }
    if (known)
        for (int64_t e = 0; e < b->ops[b->residual].size; e++) b->ops[b->residual].shadow[e * b->slots] = known[e];
    sketch(b->ops, b->count, b->slots, 0, order, h, rate, known ? b->residual : -1);
}

static double largest(const book *b, int64_t k) {
    double best = 0;
    for (int64_t i = 0; i < b->inputs; i++) {
        const op *x = b->ops + b->input[i];
        for (int64_t e = 0; e < x->size; e++)
            if (!(fabs(x->shadow[e * b->slots + k]) <= best)) best = fabs(x->shadow[e * b->slots + k]);
    }
    return best;
}

/* The rate of the change of time, from coefficients up to `top` times unit^k; 0: none.
   Coefficients c_k of a singularity at distance R in the direction of the real axis have ratios r_k with
   k r_k - (k - 1) r_(k-1) = 1/R, positive ahead and negative behind (for an entire exponential it is 0). Ahead that is taken
   if it is stable; for a state that decays, 4/5 of the ratio itself turned out best. */
static double rate_of_change(const book *b, int64_t top, double unit) {
    double best = 0, ratio[4], slope[3];
    const double *c = 0;
    for (int64_t i = 0; i < b->inputs; i++) {
        const op *x = b->ops + b->input[i];
        for (int64_t e = 0; e < x->size; e++)
            if (fabs(x->shadow[e * b->slots + top]) > best) {
                best = fabs(x->shadow[e * b->slots + top]);
                c = x->shadow + e * b->slots;
            }
    }
    if (!c) return 0;
    for (int64_t i = 0; i < 4; i++) {
        ratio[i] = c[top - 3 + i] / c[top - 4 + i];
        if (!(fabs(ratio[i]) > 0 && fabs(ratio[i]) < INFINITY) || ratio[i] * ratio[0] <= 0) return 0;
    }
    if (ratio[3] < 0) return 0.8 * ratio[3] / unit;
    for (int64_t i = 0; i < 3; i++) {
        slope[i] = (double)(top - 2 + i) * ratio[1 + i] - (double)(top - 3 + i) * ratio[i];
        if (slope[i] < 0.2 * ratio[3]) return 0;
    }
    if (fmax(slope[0], fmax(slope[1], slope[2])) > 2 * fmin(slope[0], fmin(slope[1], slope[2]))) return 0;
    return slope[2] / unit;
}

/* value rounded towards 0 to 12 bits: mantissa and exponent. */
static double shorten(double value, int64_t *man, int64_t *exponent) {
    int e;
    double m = frexp(value, &e);
    *man = (int64_t)(m * 4096);
    *exponent = e - 12;
    return ldexp((double)*man, e - 12);
}

/* Plan a step in doubles (nothing here is rigorous): the change of time, then the order with the most time gained for the
   work. out: whether time is changed, beta, order, h (mantissas and exponents). top, last: as in flow_places. Returns 0 where
   doubles do not reach, no step was found, or the limit is nearer than the end of a step. rise: as in flow_places. */
int64_t flow_plan(book *free, book *timed, const double *state, const double *known, const wish *w, int64_t *out,
                  int64_t *top, int64_t *last, int64_t *rise) {
    double start, slope, beta, length, score = 0, x = 1;
    draft(free, state, known, 1, 1, 0);
    start = largest(free, 0);
    slope = largest(free, 1);
    if (!(start > 0 && start < INFINITY && slope > 0 && slope < INFINITY)) return 0;
    length = start / slope;
    draft(free, state, known, 2, length, 0);
    double bend = largest(free, 2) / largest(free, 1); /* large near a limit, where the first derivative is small */
    if (bend > 2) length *= 2 / bend;
    draft(free, state, known, w->probe, length, 0);
    beta = rate_of_change(free, w->probe, length);
    out[1] = out[2] = out[3] = 0;
    if (beta != 0) beta = shorten(beta, out + 1, out + 2);
    book *b = beta != 0 ? timed : free;
    out[0] = beta != 0;
    draft(b, state, known, w->probe, length, -beta * length);
    /* The length at which coefficient `probe` is as large as coefficient 0, then that of a step of low order. */
    double size = largest(b, w->probe);
    if (size > 0 && size < INFINITY) length *= pow(start / size, 1.0 / (double)w->probe);
    double *work = b->work;
    int64_t done = w->order[0]; /* the order up to which there are coefficients for this length */
    double first = 0;
    for (int tries = 0; tries < 8 && !(first > 0); tries++, length /= first > 0 ? 1 : 16) { /* coefficients for too long a step overflow */
        draft(b, state, known, done, length, -beta * length);
        flow_norms(b->ops, b->count, b->slots, w->order[0], b->norms);
        first = flow_length(b->ops, b->count, b->slots, w->order[0], length, fabs(beta) * length, w->tau, 1, 16, b->norms, work);
    }
    if (first > 0 && (first < 0.5 || first > 2)) {
        length *= first;
        draft(b, state, known, done, length, -beta * length);
    }
    double most = w->limit;
    if (beta != 0 && most < INFINITY) most = beta * most >= 1 ? INFINITY : -log1p(-beta * most) / beta;
    double far[2] = {0, 0}, cost = 0; /* logarithms of the last two lengths, and the pairs of the last */
    int64_t begin = w->sure ? w->usual : w->usual > 0 ? w->usual - 1 : 0, end = w->sure ? w->usual + 1 : w->orders;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = w->order[i], man, exponent;
        if (i > begin + 1) {
            /* Higher orders have begun to cost more than they gain, or are about to: log length is nearly linear in 1/order. */
            double m = (double)w->order[i - 1], fall = (far[1] - far[0]) / (1 / (double)w->order[i - 2] - 1 / m), ratio = (double)n / m;
            double h = exp(far[1] + fall * (1 / m - 1 / (double)n));
            double gain = beta >= 0 ? h : -expm1(-beta * h) / beta;
            if (out[3] != w->order[i - 1]) break;
            if (gain / (1 + 6e-5 * (double)n * w->cells + w->price * cost * ratio * ratio) < 1.03 * score) break;
        }
        if (n > done) sketch(b->ops, b->count, b->slots, done, n, length, -beta * length, -1);
        done = n;
        flow_norms(b->ops, b->count, b->slots, n, b->norms);
        x = flow_length(b->ops, b->count, b->slots, n, length, fabs(beta) * length, w->tau, x, 64, b->norms, work);
        if (!(x > 0)) break;
        if (length * x >= most) return 0;
        double h = shorten(length * x, &man, &exponent);
        double pairs = flow_places(b->ops, b->count, b->slots, n, h / length, h, w->goal, w->unit, b->norms, work, top, last, 0);
        double gain = beta >= 0 ? h : -expm1(-beta * h) / beta; /* ahead of a pole the state grows with the step variable */
        far[0] = far[1];
        far[1] = log(h);
        cost = pairs;
        double worth = gain / (1 + 6e-5 * (double)n * w->cells + w->price * pairs);
        if (worth > score && worth < INFINITY) {
            score = worth;
            out[3] = n;
            out[4] = man;
            out[5] = exponent;
        }
    }
    if (!(score > 0)) return 0;
    double h = ldexp((double)out[4], (int)out[5]);
    /* Sketches are off by two bits now and then, and a step is made twice where its error is found to be too large. */
    h = shorten(fmin(h * exp2((w->slack - 2) / (double)(out[3] + 1)), 0.9 * most), out + 4, out + 5);
    flow_places(b->ops, b->count, b->slots, out[3], h / length, h, w->goal, w->unit, b->norms, work, top, last, rise);
    return 1;
}

/* Sketch an expansion for a step of length h, rate = -beta h, and fill in the norms of its coefficients. */
void flow_sketch(book *b, const double *state, const double *known, int64_t order, double h, double rate) {
    draft(b, state, known, order, h, rate);
    flow_norms(b->ops, b->count, b->slots, order, b->norms);
}

/* Give every operation its digits in `memory` (of `size` doubles) and clear it. Returns the doubles needed where that is
   more than there is, 0 if all is well, -1 where numbers are out of range. sparing: whether orders come one after another, so that
   some operations need only the newest. */
int64_t flow_layout(op *ops, int64_t count, int64_t slots, int64_t order, const int64_t *top, const int64_t *last,
                    double *memory, int64_t size, int64_t sparing) {
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++) {
        op *x = ops + i;
        x->top = top[i];
        x->digits = last[i] - top[i] + 1;
        x->rows = x->digits + 3;
        if (x->digits < 1 || x->digits > 200 || llabs(top[i]) > FAR || llabs(last[i]) > FAR) return -1;
        x->apart = sparing && x->single ? 1 : slots;
        int64_t part = x->size * x->rows * x->apart;
        x->fwd = memory + total;
        total += part;
        x->rev = x->used_right ? memory + total : 0;
        if (x->rev) total += part;
        x->held = memory + total;
        if (x->kind == DOT) {
            int64_t both = top[x->a] + top[x->b];
            total += x->size * (last[i] + GUARD - (both < top[i] ? both : top[i]) + 3 + 9) * 4;
        }
        for (int64_t a = 0; a < x->rows; a++) x->last[a] = -1;
    }
    if (order + 8 > MOST) return -1;
    if (total > size) return total;
    memset(memory, 0, (size_t)total * sizeof(double));
    return 0;
}

/* Upper bound of the largest singular value of a matrix of doubles, each within `error` of the true entry; see
   spectral_bound in balls.py. `work`: 3 n^2 doubles, n the smaller of rows and columns. */
double flow_spectral(const double *m, int64_t rows, int64_t cols, double error, double *work) {
    int64_t n = rows < cols ? rows : cols, length = rows < cols ? cols : rows;
    double *a = work, *b = work + n * n, largest = 0, outside = error * sqrt((double)(rows * cols));
    for (int64_t i = 0; i < rows * cols; i++)
        if (!(fabs(m[i]) <= largest)) largest = fabs(m[i]);
    if (largest == 0) return outside * INFLATE + FLOOR;
    double frobenius = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double s = 0;
            for (int64_t k = 0; k < length; k++)
                s += rows <= cols ? m[i * cols + k] / largest * (m[j * cols + k] / largest)
                                  : m[k * cols + i] / largest * (m[k * cols + j] / largest);
            a[i * n + j] = s;
            frobenius += s * s;
        }
    double rounding = (double)(length + 8) * 4 * 0x1p-52, top = sqrt(frobenius) * INFLATE, weight = 1;
    double logarithm = log(top), rest = (sqrt((double)n) * 1.001 + 1) * rounding;
    for (int64_t i = 0; i < n * n; i++) a[i] /= top;
    for (int step = 0; step < 4; step++) {
        double square = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                double s = 0;
                for (int64_t k = 0; k < n; k++) s += a[i * n + k] * a[k * n + j];
                b[i * n + j] = s;
                square += s * s;
            }
        rest = 2 * rest + rest * rest + 2 * rounding;
        double size = sqrt(square) * INFLATE;
        for (int64_t i = 0; i < n * n; i++) a[i] = b[i] / size;
        rest = rest / size + 0x1p-52;
        weight /= 2;
        logarithm += weight * log(size);
    }
    logarithm += weight * log1p(rest);
    return (exp(logarithm / 2) * (1 + 1e-12) * largest + outside) * INFLATE + FLOOR;
}

/* Upper bound of factor times the integral over the step of the logarithmic norm K g in a tube of radius rho around the
   polynomial (see validated.py). blocks: norms at the start; tails: PIECES values per block, then of the residual;
   dual, frobenius: norms of the residual at the start; leave: its rest; spread: rank for CP, else 1; rate = beta h. */
static double growth(int64_t depth, const double *blocks, const double *tails, double dual, double frobenius, double leave,
                   double rho, double data, double weight, double spread, double h, double rate) {
    double end[DEPTH], norm[DEPTH], reach = 0, total = 0;
    if (depth < 2) return 0;
    for (int64_t l = 0; l < depth; l++) end[l] = (blocks[l] + tails[l * PIECES + PIECES - 1] + rho) * INFLATE;
    for (int64_t l = 0; l < depth; l++) {
        double term = 1;
        for (int64_t m = 0; m < depth; m++)
            if (m != l) term *= end[m];
        term = term * INFLATE + FLOOR;
        reach = hypot(reach, term);
    }
    reach = (reach * sqrt(spread) * INFLATE + FLOOR) * data * rho * INFLATE;
    double monotone = (frobenius + 2 * reach) * INFLATE;
    for (int64_t i = 0; i < PIECES; i++) {
        double g = (dual + tails[depth * PIECES + i] + leave + reach) * INFLATE, best = 0;
        if (monotone < g) g = monotone;
        for (int64_t l = 0; l < depth; l++) norm[l] = (blocks[l] + tails[l * PIECES + i] + rho) * INFLATE;
        for (int64_t j = 0; j < depth; j++) {
            double row = 0;
            for (int64_t k = 0; k < depth; k++) {
                if (k == j) continue;
                double term = 1;
                for (int64_t m = 0; m < depth; m++)
                    if (m != j && m != k) term *= norm[m];
                row += term * INFLATE + FLOOR;
            }
            if (!(row <= best)) best = row;
        }
        double u = rate >= 0 ? exp(-rate * (1 - 1e-12) * (double)i / PIECES) : exp(-rate * (1 + 1e-12) * (double)(i + 1) / PIECES);
        total += best * g * u * (1 + 1e-12);
    }
    return total * INFLATE * weight * data * h / PIECES * INFLATE + FLOOR;
}

static void turned(double *back, double *both, int64_t i, int64_t slots, int64_t k, double norm, double radius) {
    back[i * slots + slots - 4 - k] = norm;
    both[i * slots + slots - 4 - k] = norm + radius;
}

/* An estimate of how far radii grow when the recurrence is done in ball arithmetic with rounding of relative size 1: the sum
   of the radii of the coefficients of the inputs. radii: 3 x count x slots. */
double flow_radii(const op *ops, int64_t count, int64_t slots, int64_t order, double h, const double *norms, double *radii) {
    double total = 0, *back = radii + count * slots, *both = back + count * slots; /* norms, and radii with them, in reverse */
    memset(radii, 0, (size_t)(3 * count * slots) * sizeof(double));
    for (int64_t i = 0; i < count; i++) turned(back, both, i, slots, 0, norms[i * slots], 0);
    for (int64_t k = 0; k < order; k++) {
        for (int64_t i = 0; i < count; i++) {
            const op *o = ops + i;
            double *mine = radii + i * slots, own = norms[i * slots + k];
            if (o->kind == CONST) mine[k] = own;
            if (o->kind == SPEED) mine[k] = own * (double)(k + 1);
            if (o->kind == SUM) mine[k] = radii[o->a * slots + k] + radii[o->b * slots + k] + own;
            if (o->kind == DOT) {
                const double *a = norms + o->a * slots, *p = radii + o->a * slots;
                const double *b = back + o->b * slots + slots - 4 - k, *q = both + o->b * slots + slots - 4 - k;
                lanes s = {0};
                for (int64_t m = 0; m <= k; m += 4)
                    s += *(const lanes *)(a + m) * *(const lanes *)(q + m) + *(const lanes *)(p + m) * *(const lanes *)(b + m);
                mine[k] = o->gain * ((s[0] + s[1]) + (s[2] + s[3]));
            }
            if (o->kind != INPUT) turned(back, both, i, slots, k, own, mine[k]);
        }
        for (int64_t i = 0; i < count; i++)
            if (ops[i].kind == INPUT) {
                radii[i * slots + k + 1] = radii[ops[i].a * slots + k] * h / (double)(k + 1) + norms[i * slots + k + 1];
                total += radii[i * slots + k + 1];
                turned(back, both, i, slots, k + 1, norms[i * slots + k + 1], radii[i * slots + k + 1]);
            }
    }
    return total;
}

/* What flow_tube needs to know about the model. */
typedef struct frame {
    int64_t depth, columns;      /* columns: norms of blocks are the largest of their columns (CP), else spectral */
    int64_t *input, *rows, *cols, *places; /* of the entries of all inputs */
    double *gains;               /* of the views of the inputs */
    int64_t residual, height, width;
    int64_t *entries;            /* of the residual matrix, in the base operation; -1 for zero */
    double gain, data, factor, spread;
} frame;

/* A tube: growth and radius (rho, bound) with bound < rho such that an error that starts below `start` stays below
   `bound` within rho of the polynomial; 0 if none is found. After flow_shadow, flow_norms and flow_rest. `work`:
   (depth + 2) * PIECES + 3 * (largest matrix) doubles. out: rho, bound. */
int64_t flow_tube(const op *ops, int64_t slots, int64_t order, const frame *f, const double *norms, const double *low_rest,
                  const double *high_rest, double start, double h, double rate, double *work, double *out) {
    const int64_t *places = f->places;
    double block[DEPTH], *tails = work, *matrix = work + (f->depth + 1) * PIECES, dual, frobenius = 0, largest = 0;
    if (f->depth > DEPTH) return 0;
    for (int64_t l = 0; l < f->depth; l++) {
        int64_t base = f->input[l], rows = f->rows[l], cols = f->cols[l];
        largest = 0;
        for (int64_t e = 0; e < rows * cols; e++) {
            matrix[e] = ops[base].shadow[*places++ * slots];
            if (!(fabs(matrix[e]) <= largest)) largest = fabs(matrix[e]);
        }
        if (f->columns) {
            double best = 0;
            for (int64_t c = 0; c < cols; c++) {
                double s = 0;
                for (int64_t r = 0; r < rows; r++) s += matrix[r * cols + c] * matrix[r * cols + c];
                if (!(s <= best)) best = s;
            }
            block[l] = sqrt(best) * INFLATE + 1e-150;
        } else {
            block[l] = flow_spectral(matrix, rows, cols, 2e-12 * largest, matrix + rows * cols);
        }
        flow_profile(norms + base * slots, order, tails + l * PIECES);
        for (int64_t i = 0; i < PIECES; i++) tails[l * PIECES + i] *= f->gains[l] * INFLATE;
    }
    const op *r = ops + f->residual;
    largest = 0;
    for (int64_t e = 0; e < f->height * f->width; e++) {
        matrix[e] = f->entries[e] < 0 ? 0 : r->shadow[f->entries[e] * slots];
        frobenius += matrix[e] * matrix[e];
        if (!(fabs(matrix[e]) <= largest)) largest = fabs(matrix[e]);
    }
    frobenius = sqrt(frobenius) * INFLATE + 1e-150;
    dual = f->columns ? frobenius : flow_spectral(matrix, f->height, f->width, 2e-12 * largest, matrix + f->height * f->width);
    double *tail = tails + f->depth * PIECES, low = low_rest[f->residual] * f->gain * INFLATE;
    double leave = (low + high_rest[f->residual] * f->gain) * INFLATE;
    flow_profile(norms + f->residual * slots, order - 1, tail);
    for (int64_t i = 0; i < PIECES; i++) tail[i] *= f->gain * INFLATE;
    double rho = start * 64, bound;
    for (int round = 0; round < 5; round++) {
        double amount = growth(f->depth, block, tails, dual + low, frobenius + low, leave, rho, f->data, f->factor, f->spread, h, rate);
        if (!(amount < 200)) return 0;
        bound = start * exp(amount) * (1 + 1e-9);
        if (bound * (1 + 1e-6) < rho) {
            out[0] = rho;
            out[1] = bound;
            return 1;
        }
        rho = bound * 1.5;
    }
    return 0;
}

/* A step, see stride.py. */
typedef struct {
    double error, tau, limit, price, margin, entries; /* entries: of the state */
    int64_t unit, words, probe, orders;               /* the point is in units of digit `unit` */
    const int64_t *order;
    const uint64_t *point;
    const double *known;   /* the residual at the point, where it is known */
    double *memory;
    int64_t size, needed;  /* doubles in memory, and how many are needed if they are too few */
    double slack, most;    /* bits by which sketches overestimate the local error, and how many may be expected */
    int64_t timed, beta, beta_exponent, chosen, h, h_exponent;
    double rho, bound, begin, radius, after; /* begin: the error at the start of the tube; after: at the end of the step */
    int64_t end_unit;
    uint64_t *end;         /* the end of the step; may be the point */
    double *residual, norm, largest, length;
    /* The number of the order that was chosen last, 0 at first; steps since others were last looked at or it changed; whether
       time was changed in the last one. */
    int64_t usual, since, last_timed;
    double spread; /* the radius over the bound, where it was computed last */
} move;

static double to_double(const uint64_t *data, int64_t words) {
    double value = 0;
    int64_t negative = (int64_t)(data[words - 1] >> 63);
    uint64_t carry = (uint64_t)negative;
    for (int64_t i = 0; i < words; i++) {
        uint64_t v = negative ? ~data[i] + carry : data[i];
        if (negative && v) carry = 0;
        value += ldexp((double)v, (int)(64 * i));
    }
    return negative ? -value : value;
}

/* Digits of the constants, and 1 for the speed, at order 0; 0 if one does not fit. */
static int fill(book *b, int64_t slots) {
    for (int64_t i = 0; i < b->count; i++) {
        op *x = b->ops + i;
        double digit[SPAN];
        if (x->kind == SPEED && (x->top > 0 || x->top + x->digits <= 0)) return 0;
        if (x->kind != CONST && x->kind != SPEED) continue;
        for (int64_t e = 0; e < x->size; e++) {
            const double *given = x->given + e * (2 * FAR + 1);
            for (int64_t p = -FAR; x->kind == CONST && p < x->top; p++)
                if (given[p + FAR] != 0) return 0;
            for (int64_t a = 0; a < x->digits; a++)
                digit[a] = x->kind == CONST ? given[x->top + a + FAR] : (double)(x->top + a == 0);
            store(x, slots, e, 0, digit, 0);
        }
    }
    return 1;
}

/* The sum of all coefficients of a place, carried; digit 0 of acc has position x->top - 2, and there is one digit more than x has. */
static void summed(const op *x, int64_t slots, int64_t e, int64_t order, int64_t rise, double *acc) {
    memset(acc, 0, (size_t)(x->digits + 3) * sizeof(double));
    for (int64_t a = 0; a < x->digits; a++) {
        const double *f = x->fwd + (e * x->rows + a) * slots;
        int64_t end = x->last[a] < order ? x->last[a] : order;
        if (rise) {
            /* Orders are added digit by digit, with fractions of up to 21 bits. */
            for (int64_t k = 0, places = 0, next; k <= end; k = next, places++) {
                double s = 0, weight = power_of_two(BITS * places - rise * k);
                next = (BITS * (places + 1) + rise - 1) / rise;
                for (; k < next && k <= end; k++, weight /= (double)((int64_t)1 << rise)) s += f[k] * weight;
                acc[a + places + 2] += s;
            }
            continue;
        }
        lanes s = {0};
        for (int64_t k = 0; k <= end; k += 4) s += *(const lanes *)(f + k);
        if (end < x->last[a])
            for (int64_t k = end + 1; k < (end & ~(int64_t)3) + 4; k++) s[k & 3] -= f[k];
        acc[a + 2] = (s[0] + s[1]) + (s[2] + s[3]);
    }
    for (int64_t a = 2; rise && a < x->digits + 2; a++) {
        double whole = ROUND(acc[a]);
        acc[a + 1] += (acc[a] - whole) * RADIX;
        acc[a] = whole;
    }
    carried(acc, x->digits + 3);
}

static int finish(book *b, move *m, int64_t slots, int64_t rise) {
    double unit, log_entries = log2(m->entries);
    int64_t deepest = 1;
    for (int64_t i = 0; i < b->inputs; i++)
        if (b->last[b->input[i]] > deepest) deepest = b->last[b->input[i]];
    /* What lies below a 2^10th of the error is dropped. */
    unit = ceil((11 + log_entries / 2 - log2(m->bound)) / BITS);
    m->end_unit = unit < 1 ? 1 : unit > (double)deepest ? deepest : (int64_t)unit;
    int rounded = 0;
    uint64_t *out = m->end;
    m->largest = m->length = 0;
    for (int64_t i = 0; i < b->inputs; i++) {
        const op *x = b->ops + b->input[i];
        if (rise || x->top + x->digits - 1 > m->end_unit) rounded = 1;
        for (int64_t e = 0; e < x->size; e++, out += m->words) {
            double acc[SPAN], value = 0;
            summed(x, slots, e, m->chosen, rise, acc);
            for (int64_t a = x->digits + 1; a >= 0; a--) value = value * (1 / RADIX) + acc[a];
            value = fabs(ldexp(value, (int)(-BITS * (x->top - 2))));
            if (value > m->largest) m->largest = value;
            m->length += value * value;
            memset(out, 0, (size_t)m->words * 8);
            int64_t carry = 0, at = 0;
            for (int64_t p = m->end_unit; p >= x->top - 2 || at < 64 * m->words; p--, at += BITS) {
                int64_t a = p - (x->top - 2), v = (a >= 0 && a < x->digits + 2 ? (int64_t)acc[a] : 0) + carry;
                uint64_t d = (uint64_t)v & (((uint64_t)1 << BITS) - 1);
                carry = (v - (int64_t)d) / ((int64_t)1 << BITS);
                if (at >= 64 * m->words) return 0;
                out[at >> 6] |= d << (at & 63);
                if ((at & 63) > 64 - BITS && (at >> 6) + 1 < m->words) out[(at >> 6) + 1] |= d >> (64 - (at & 63));
            }
            if (carry != 0 && carry != -1) return 0;
        }
    }
    m->length = sqrt(m->length);
    const op *r = b->ops + b->residual;
    m->norm = 0;
    for (int64_t e = 0; e < r->size; e++) {
        double acc[SPAN], value = 0;
        summed(r, slots, e, m->chosen - 1, rise, acc);
        for (int64_t a = r->digits + 1; a >= 0; a--) value = value * (1 / RADIX) + acc[a];
        m->residual[e] = ldexp(value, (int)(-BITS * (r->top - 2)));
        m->norm += r->weight[e] * m->residual[e] * m->residual[e];
    }
    m->norm = sqrt(m->norm);
    double rounding = rounded ? sqrt(m->entries) * ldexp(0.51, (int)(-BITS * m->end_unit)) : 0;
    m->after = (m->bound * 1.001 + 2 * rounding) * INFLATE;
    return 1;
}

/* One validated step from an exact point. 1 if it was made, 0 if not; -1 if there is too little memory. */
int64_t flow_stride(book *free, book *timed, move *m) {
    double state[SPAN], h, rate;
    int64_t places = 0, rise = 0, out[6];
    for (int64_t i = 0; i < free->inputs; i++) places += free->ops[free->input[i]].size;
    if (places > SPAN) return 0;
    for (int64_t c = 0; c < places; c++) state[c] = ldexp(to_double(m->point + c * m->words, m->words), (int)(-BITS * m->unit));
    wish w = {m->tau, m->tau + 2, m->slack, m->limit, (double)places, m->price, m->unit, m->probe, m->orders, m->order, m->usual, m->since > 1 && m->since < 5};
    if (!flow_plan(free, timed, state, m->known, &w, out, timed->top, timed->last, &rise)) return 0;
    book *b = out[0] ? timed : free;
    if (b == free) {
        memcpy(b->top, timed->top, (size_t)b->count * sizeof(int64_t));
        memcpy(b->last, timed->last, (size_t)b->count * sizeof(int64_t));
    }
    m->timed = out[0];
    m->beta = out[1];
    m->beta_exponent = out[2];
    m->chosen = out[3];
    int64_t usual = 0;
    for (int64_t i = 0; i < m->orders; i++)
        if (m->order[i] == out[3]) usual = i;
    int64_t since = usual == m->usual && m->since < 5 && out[0] == m->last_timed ? m->since + 1 : 0;
    m->h = out[4];
    m->h_exponent = out[5];
    double beta = out[0] ? ldexp((double)out[1], (int)out[2]) : 0;
    int64_t order = m->chosen, slots = (order + 4) / 4 * 4 + 12;
    /* The rounding that is planned for is a generous estimate of its bound. */
    for (int attempt = 0; attempt < 4; attempt++) {
        double number[2], goal = m->tau - (attempt < 2 ? 6 : 12);
        int64_t shift[2], man[2] = {m->h, m->timed ? m->beta : 0}, ex[2] = {m->h_exponent + rise, m->timed ? m->beta_exponent : 0};
        h = ldexp((double)m->h, (int)m->h_exponent);
        rate = beta * h;
        for (int i = 0; i < 2; i++) {
            shift[i] = ex[i] >= 0 ? -(ex[i] / BITS) : (-ex[i] + BITS - 1) / BITS;
            number[i] = ldexp((double)man[i], (int)(ex[i] + BITS * shift[i]));
        }
        int64_t needed = flow_layout(b->ops, b->count, slots, order, b->top, b->last, m->memory, m->size, 1);
        if (needed > 0) {
            m->needed = needed;
            return -1;
        }
        if (needed) return 0;
        const uint64_t *from = m->point;
        for (int64_t i = 0; i < b->inputs; i++) {
            op *x = b->ops + b->input[i];
            if (!flow_load(x, slots, 0, from, m->words, x->top + x->digits - 1 - m->unit)) return 0;
            from += x->size * m->words;
        }
        if (!fill(b, slots)) return 0;
        if (!flow_expand(b->ops, b->count, slots, order, number, shift, rise)) return 0;
        flow_shadow(b->ops, b->count, slots, b->slots, order, rise);
        flow_norms(b->ops, b->count, b->slots, order, b->norms);
        double *rests = b->rests, division = 0, high;
        high = flow_rest(b->ops, b->count, b->slots, order, 1, fabs(rate), 1, b->norms, rests, rests + b->count, rests + 2 * b->count, b->work);
        for (int64_t i = 0; i < b->inputs; i++) {
            const op *x = b->ops + b->input[i];
            double part = (double)order * 0.51 * unit(x);
            division = hypot(division, part * sqrt(x->entries));
        }
        double low = (b->work[0] * h + division) * INFLATE, local, shrink = 0.5;
        high = high * h / (double)(order + 1) * INFLATE;
        local = (low + high) * INFLATE;
        if (high > 0 && high < INFINITY) /* Doubles exaggerate the fast modes of a stiff problem; what they exaggerated is expected next time. */
            m->slack = fmin(fmax(0, m->slack + 0.6 * (m->tau - log2(high) - 6)), m->most);
        if (local <= exp2(m->tau + 1)) {
            double tube[2];
            /* A checker has room for that much, and for a polynomial that is not so close. */
            m->begin = (m->error + fmax(m->margin * local, m->error / 128)) * INFLATE;
            if (flow_tube(b->ops, b->slots, order, b->frame, b->norms, rests, rests + b->count, m->begin, h, rate, b->tubes, tube)) {
                m->rho = tube[0];
                m->bound = tube[1];
                /* For steps in the time itself that are alike the last estimate will do, with some room. */
                int fresh = since == 0 || m->timed;
                m->since = since;
                m->usual = usual;
                m->last_timed = m->timed;
                if (fresh) m->spread = flow_radii(b->ops, b->count, b->slots, order, h, b->norms, b->radii) / tube[1];
                m->radius = m->spread * tube[1] * (fresh ? 1 : 1024);
                return finish(b, m, slots, rise);
            }
        } else if (low > exp2(m->tau - 1) && high <= exp2(m->tau + 0.5)) {
            shrink = 1;
        } else if (high < INFINITY) {
            shrink = fmin(0.99, exp2(-((log2(high) - m->tau + 0.5) / (double)(order + 1))));
        }
        double shorter = shorten(h * shrink, &m->h, &m->h_exponent);
        flow_places(b->ops, b->count, b->slots, order, shorter / h, shorter, goal, m->unit, b->norms, b->work, b->top, b->last, &rise);
    }
    return 0;
}

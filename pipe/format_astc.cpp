// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ASTC LDR decoding: block mode, partitions, end points, weights, and their interpolation. Section numbers
// are those of the Khronos Data Format 1.3.
#include "pipe/format_astc.h"

#include <algorithm>

#include "pipe/format.h"
#include "pipe/format_astc_ise.h"

namespace terrazzo::pipe::detail {

namespace {

// By size; section 23.12. The first six are the weight ranges of low precision, the next six those of high
// precision.
constexpr AstcRange kRanges[21] = {
    {1, false, false}, {0, true, false},  {2, false, false}, {0, false, true},  {1, true, false},
    {3, false, false}, {1, false, true},  {2, true, false},  {4, false, false}, {2, false, true},
    {3, true, false},  {5, false, false}, {3, false, true},  {4, true, false},  {6, false, false},
    {4, false, true},  {5, true, false},  {7, false, false}, {5, false, true},  {6, true, false},
    {8, false, false},
};
constexpr int kSmallestColorRange = 4;  // 0 to 5

struct Rgba {
    int c[4];
};

struct BlockMode {
    unsigned grid_w = 0, grid_h = 0;
    bool dual_plane = false;
    AstcRange range = {};
    bool legal = false;
};

// Section 23.10.
BlockMode decode_block_mode(unsigned mode) {
    BlockMode m;
    const unsigned a = mode >> 5 & 3, b = mode >> 7 & 3;
    unsigned r = mode >> 4 & 1;
    bool high_precision = mode >> 9 & 1;
    m.dual_plane = mode >> 10 & 1;
    if (mode & 3) {
        r |= (mode & 3) << 1;
        switch (mode >> 2 & 3) {
            case 0:
                m.grid_w = b + 4, m.grid_h = a + 2;
                break;
            case 1:
                m.grid_w = b + 8, m.grid_h = a + 2;
                break;
            case 2:
                m.grid_w = a + 2, m.grid_h = b + 8;
                break;
            default:
                if (b & 2)
                    m.grid_w = (b & 1) + 2, m.grid_h = a + 2;
                else
                    m.grid_w = a + 2, m.grid_h = (b & 1) + 6;
                break;
        }
    } else {
        if ((mode & 0xf) == 0) return m;
        r |= (mode >> 2 & 3) << 1;
        switch (b) {
            case 0:
                m.grid_w = 12, m.grid_h = a + 2;
                break;
            case 1:
                m.grid_w = a + 2, m.grid_h = 12;
                break;
            case 2:
                m.grid_w = a + 6, m.grid_h = (mode >> 9 & 3) + 6;
                high_precision = m.dual_plane = false;
                break;
            default:
                if (a >= 2) return m;
                m.grid_w = a ? 10 : 6, m.grid_h = a ? 6 : 10;
                break;
        }
    }
    if (r < 2) return m;
    m.range = kRanges[r - 2 + (high_precision ? 6 : 0)];
    m.legal = true;
    return m;
}

// Section 23.16: the hash that assigns texels to partitions.
uint32_t hash52(uint32_t p) {
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

class Partitions {
  public:
    Partitions(unsigned index, unsigned count, bool small_block)
        : count_(count), shift_(small_block ? 1 : 0) {
        if (count == 1) return;
        const uint32_t seed = index + (count - 1) * 1024, h = hash52(seed);
        const unsigned other = seed & 2 ? 4 : 5, by_count = count == 3 ? 6 : 5;
        const unsigned sh1 = seed & 1 ? other : by_count, sh2 = seed & 1 ? by_count : other;
        for (unsigned i = 0; i < 8; ++i) {
            const uint32_t nibble = h >> (4 * i) & 0xf;
            factor_[i] = nibble * nibble >> (i & 1 ? sh2 : sh1);
        }
        constexpr unsigned kBase[4] = {14, 10, 6, 2};
        for (unsigned i = 0; i < 4; ++i)
            base_[i] = h >> kBase[i];
    }
    unsigned at(unsigned x, unsigned y) const {
        if (count_ == 1) return 0;
        x <<= shift_, y <<= shift_;
        unsigned best = 0, best_value = 0;
        for (unsigned i = 0; i < count_; ++i) {
            const unsigned v = (factor_[2 * i] * x + factor_[2 * i + 1] * y + base_[i]) & 0x3f;
            if (i == 0 || v > best_value) best = i, best_value = v;  // the first one if several are equal
        }
        return best;
    }

  private:
    unsigned count_, shift_;
    uint32_t factor_[8] = {}, base_[4] = {};
};

Rgba clamped(int r, int g, int b, int a) {
    const auto c = [](int v) { return std::clamp(v, 0, 255); };
    return {{c(r), c(g), c(b), c(a)}};
}
Rgba blue_contract(int r, int g, int b, int a) {
    return clamped((r + b) >> 1, (g + b) >> 1, b, a);
}

// Moves the top bit of `a` to `b`, and leaves a signed 6-bit offset in `a`.
void bit_transfer_signed(int& a, int& b) {
    b = b >> 1 | (a & 0x80);
    a = a >> 1 & 0x3f;
    if (a & 0x20) a -= 0x40;
}

// Section 23.14: the two colours of one partition. False: an HDR mode.
bool decode_endpoints(unsigned mode, const uint8_t* values, Rgba e[2]) {
    int v[8];
    std::copy_n(values, 2 * (mode / 4 + 1), v);
    const bool has_alpha = mode >= 12;
    const int a0 = has_alpha ? v[6] : 255, a1 = has_alpha ? v[7] : 255;
    switch (mode) {
        case 0:
            e[0] = {{v[0], v[0], v[0], 255}};
            e[1] = {{v[1], v[1], v[1], 255}};
            return true;
        case 1: {
            const int l0 = v[0] >> 2 | (v[1] & 0xc0), l1 = l0 + (v[1] & 0x3f);
            e[0] = clamped(l0, l0, l0, 255);
            e[1] = clamped(l1, l1, l1, 255);
            return true;
        }
        case 4:
            e[0] = {{v[0], v[0], v[0], v[2]}};
            e[1] = {{v[1], v[1], v[1], v[3]}};
            return true;
        case 5: {
            bit_transfer_signed(v[1], v[0]);
            bit_transfer_signed(v[3], v[2]);
            const int l1 = v[0] + v[1];
            e[0] = clamped(v[0], v[0], v[0], v[2]);
            e[1] = clamped(l1, l1, l1, v[2] + v[3]);
            return true;
        }
        case 6:
        case 10: {
            const bool two_alphas = mode == 10;
            e[0] = {{v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, two_alphas ? v[4] : 255}};
            e[1] = {{v[0], v[1], v[2], two_alphas ? v[5] : 255}};
            return true;
        }
        case 8:
        case 12:
            if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
                e[0] = {{v[0], v[2], v[4], a0}};
                e[1] = {{v[1], v[3], v[5], a1}};
            } else {
                e[0] = blue_contract(v[1], v[3], v[5], a1);
                e[1] = blue_contract(v[0], v[2], v[4], a0);
            }
            return true;
        case 9:
        case 13: {
            bit_transfer_signed(v[1], v[0]);
            bit_transfer_signed(v[3], v[2]);
            bit_transfer_signed(v[5], v[4]);
            int low = 255, high = 255;
            if (has_alpha) {
                bit_transfer_signed(v[7], v[6]);
                low = v[6], high = v[6] + v[7];
            }
            const int r = v[0] + v[1], g = v[2] + v[3], b = v[4] + v[5];
            if (v[1] + v[3] + v[5] >= 0) {
                e[0] = clamped(v[0], v[2], v[4], low);
                e[1] = clamped(r, g, b, high);
            } else {
                e[0] = blue_contract(r, g, b, high);
                e[1] = blue_contract(v[0], v[2], v[4], low);
            }
            return true;
        }
        default:
            return false;  // 2, 3, 7, 11, 14, 15 are HDR modes
    }
}

struct Block {
    unsigned w, h;  // size of the block
    BlockMode mode;
    unsigned weight_bits = 0;
    unsigned partition_count = 1, partition_index = 0;
    unsigned endpoint_mode[4] = {};
    unsigned plane2_component = 4;  // 4: one plane
    Rgba endpoint[4][2];
    bool is_error[4] = {};
    uint8_t weight[64];  // of the grid; those of two planes alternate
};

// Section 23.11: the modes of the partitions. Returns the first bit of the colour data; `extra` is the number
// of bits below the weights.
unsigned read_endpoint_modes(const AstcBits& bits, Block& b, unsigned* extra) {
    *extra = 0;
    if (b.partition_count == 1) {
        b.endpoint_mode[0] = bits.get(13, 4);
        return 17;
    }
    b.partition_index = bits.get(13, 10);
    const unsigned field = bits.get(23, 6), n = b.partition_count;
    if ((field & 3) == 0) {
        std::fill_n(b.endpoint_mode, n, field >> 2);
        return 29;
    }
    *extra = 3 * n - 4;
    const unsigned base = (field & 3) - 1;
    const unsigned all = field >> 2 | bits.get(128 - b.weight_bits - *extra, *extra) << 4;
    for (unsigned i = 0; i < n; ++i)
        b.endpoint_mode[i] = (base + (all >> i & 1)) << 2 | (all >> (n + 2 * i) & 3);
    return 29;
}

bool read_endpoints(const AstcBits& bits, Block& b) {
    unsigned extra;
    const unsigned begin = read_endpoint_modes(bits, b, &extra);
    unsigned below_weights = 128 - b.weight_bits - extra;
    if (b.mode.dual_plane) {
        below_weights -= 2;
        b.plane2_component = bits.get(below_weights, 2);
    }
    unsigned count = 0;
    for (unsigned i = 0; i < b.partition_count; ++i)
        count += 2 * (b.endpoint_mode[i] / 4 + 1);
    if (count > 18 || below_weights < begin) return false;
    int range = 20;  // the largest range that fits
    while (range >= kSmallestColorRange && astc_sequence_bits(kRanges[range], count) > below_weights - begin)
        --range;
    if (range < kSmallestColorRange) return false;
    uint8_t values[18];
    astc_read_sequence(bits, begin, kRanges[range], count, values);
    for (unsigned i = 0; i < count; ++i)
        values[i] = astc_color_value(kRanges[range], values[i]);
    const uint8_t* at = values;
    for (unsigned i = 0; i < b.partition_count; ++i) {
        b.is_error[i] = !decode_endpoints(b.endpoint_mode[i], at, b.endpoint[i]);
        at += 2 * (b.endpoint_mode[i] / 4 + 1);
    }
    return true;
}

bool read_block(const AstcBits& bits, Block& b) {
    b.mode = decode_block_mode(bits.get(0, 11));
    const BlockMode& m = b.mode;
    const unsigned planes = m.dual_plane ? 2 : 1, weights = m.grid_w * m.grid_h * planes;
    if (!m.legal || weights > 64 || m.grid_w > b.w || m.grid_h > b.h) return false;
    b.weight_bits = astc_sequence_bits(m.range, weights);
    if (b.weight_bits < 24 || b.weight_bits > 96) return false;
    b.partition_count = bits.get(11, 2) + 1;
    if (m.dual_plane && b.partition_count == 4) return false;
    if (!read_endpoints(bits, b)) return false;
    astc_read_sequence(astc_reverse(bits), 0, m.range, weights, b.weight);
    for (unsigned i = 0; i < weights; ++i)
        b.weight[i] = astc_weight_value(m.range, b.weight[i]);
    return true;
}

// Section 23.18: the weight of a texel, interpolated bilinearly in the grid.
unsigned texel_weight(const Block& b, unsigned x, unsigned y, unsigned plane) {
    const unsigned n = b.mode.grid_w, planes = b.mode.dual_plane ? 2 : 1;
    const unsigned ds = (1024 + b.w / 2) / (b.w - 1), dt = (1024 + b.h / 2) / (b.h - 1);
    const unsigned gs = (ds * x * (n - 1) + 32) >> 6, gt = (dt * y * (b.mode.grid_h - 1) + 32) >> 6;
    const unsigned fs = gs & 15, ft = gt & 15, v0 = (gs >> 4) + (gt >> 4) * n;
    const unsigned w11 = (fs * ft + 8) >> 4, w10 = ft - w11, w01 = fs - w11, w00 = 16 - fs - ft + w11;
    const unsigned last = n * b.mode.grid_h;
    // At the far edges of the grid, the neighbours have weight 0 and may not exist.
    const auto weight = [&](unsigned i) { return i < last ? unsigned(b.weight[i * planes + plane]) : 0u; };
    return (weight(v0) * w00 + weight(v0 + 1) * w01 + weight(v0 + n) * w10 + weight(v0 + n + 1) * w11 + 8) >>
           4;
}

void put_value(float* out, unsigned c, unsigned value16, bool is_srgb) {
    if (is_srgb)
        out[c] = c == 3 ? float(value16 >> 8) / 255.0f : srgb8_to_linear(uint8_t(value16 >> 8));
    else
        out[c] = value16 == 65535 ? 1.0f : float(value16) / 65536.0f;  // section 23.19
}

void put_error(float* out) {
    out[0] = out[2] = out[3] = 1.0f;
    out[1] = 0.0f;
}

void mix_texel(const Block& b, const Partitions& partitions, unsigned x, unsigned y, bool is_srgb,
               float* out) {
    const unsigned p = partitions.at(x, y);
    if (b.is_error[p]) return put_error(out);
    const unsigned w0 = texel_weight(b, x, y, 0), w1 = b.mode.dual_plane ? texel_weight(b, x, y, 1) : w0;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned e0 = unsigned(b.endpoint[p][0].c[c]), e1 = unsigned(b.endpoint[p][1].c[c]);
        const unsigned c0 = e0 << 8 | (is_srgb ? 0x80u : e0), c1 = e1 << 8 | (is_srgb ? 0x80u : e1);
        const unsigned w = c == b.plane2_component ? w1 : w0;
        put_value(out, c, (c0 * (64 - w) + c1 * w + 32) >> 6, is_srgb);
    }
}

// Section 23.23: a block of one colour. False: it is illegal or HDR.
bool decode_void_extent(const AstcBits& bits, bool is_srgb, float out[4]) {
    if (bits.get(9, 1) || bits.get(10, 2) != 3) return false;
    const unsigned s0 = bits.get(12, 13), s1 = bits.get(25, 13), t0 = bits.get(38, 13), t1 = bits.get(51, 13);
    const bool unbounded = (s0 & s1 & t0 & t1) == 0x1fff;
    if (!unbounded && (s0 >= s1 || t0 >= t1)) return false;
    for (unsigned c = 0; c < 4; ++c)
        put_value(out, c, bits.get(64 + 16 * c, 16), is_srgb);
    return true;
}

}  // namespace

void decode_astc_block(unsigned block_w, unsigned block_h, bool is_srgb, float* dst, const void* data) {
    const AstcBits bits = astc_load(data);
    const unsigned texels = block_w * block_h;
    if (bits.get(0, 9) == 0x1fc) {
        float color[4];
        if (!decode_void_extent(bits, is_srgb, color)) put_error(color);
        for (unsigned i = 0; i < texels; ++i)
            std::copy_n(color, 4, dst + i * 4);
        return;
    }
    Block block;
    block.w = block_w;
    block.h = block_h;
    if (!read_block(bits, block)) {
        for (unsigned i = 0; i < texels; ++i)
            put_error(dst + i * 4);
        return;
    }
    const Partitions partitions(block.partition_index, block.partition_count, texels < 31);
    for (unsigned y = 0; y < block_h; ++y)
        for (unsigned x = 0; x < block_w; ++x)
            mix_texel(block, partitions, x, y, is_srgb, dst + (y * block_w + x) * 4);
}

}  // namespace terrazzo::pipe::detail

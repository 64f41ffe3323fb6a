// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/soft/texture_reference.h"

#include <algorithm>

namespace terrazzo::soft::test {

using pipe::Compare;
using pipe::Filter;
using pipe::MipFilter;
using pipe::ResourceKind;
using pipe::Wrap;

Texture::Texture(ResourceKind kind, pipe::Format format, int w, int h, int d, int levels,
                 std::mt19937& random) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    const pipe::FormatOps& ops = pipe::format_ops(format);
    const bool volume = kind == ResourceKind::Tex3D;
    unit.kind = kind;
    unit.format = format;
    unit.layers = volume ? 1 : d;
    unit.first_level = 0;
    unit.last_level = levels - 1;
    for (unsigned c = 0; c < 4; ++c)
        unit.swizzle[c] = pipe::Swizzle(c);
    for (int n = 0; n < levels; ++n) {
        const int lw = std::max(w >> n, 1), lh = std::max(h >> n, 1), ld = volume ? std::max(d >> n, 1) : d;
        const uint64_t row_B = pipe::format_row_B(format, uint32_t(lw)) + 8;
        const uint64_t slice_B = row_B * pipe::format_block_rows(format, uint32_t(lh)) + 16;
        memory.emplace_back(slice_B * uint64_t(ld));
        for (uint8_t& byte : memory.back())
            byte = uint8_t(random());
        std::vector<Color> decoded;
        for (int z = 0; z < ld; ++z) {
            uint8_t* const slice = memory.back().data() + slice_B * uint64_t(z);
            if (ops.pack_f32 && info.channel[0].type == pipe::ChannelType::Float)  // no NaN and no infinity
                for (int y = 0; y < lh; ++y)
                    for (int x = 0; x < lw; ++x) {
                        float rgba[4];
                        for (float& f : rgba)
                            f = float(random() % 2001) / 1000.0f - 1;
                        ops.pack_f32(slice + row_B * unsigned(y) + info.block_B * unsigned(x), rgba, 1);
                    }
            std::vector<float> row(size_t(lw) * 4 * size_t(lh));
            if (info.is_pure_int() || info.is_depth_stencil()) {
                for (int y = 0; y < lh; ++y)
                    for (int x = 0; x < lw; ++x) {
                        float* const to = &row[(size_t(y) * size_t(lw) + size_t(x)) * 4];
                        const uint8_t* const from = slice + row_B * unsigned(y) + info.block_B * unsigned(x);
                        to[3] = 1;
                        if (info.has_depth) {
                            ops.unpack_depth(to, from, 1);
                        } else {
                            uint32_t u[4];
                            int32_t s[4];
                            if (info.is_pure_uint) ops.unpack_u32(u, from, 1);
                            if (info.is_pure_sint) ops.unpack_s32(s, from, 1);
                            for (int c = 0; c < 4; ++c)
                                to[c] = info.is_pure_uint ? float(u[c]) : float(s[c]);
                        }
                    }
            } else {
                (void)pipe::unpack_rect_f32(format, row.data(), ptrdiff_t(lw) * 16, slice, ptrdiff_t(row_B),
                                            uint32_t(lw), uint32_t(lh));
            }
            for (size_t i = 0; i < row.size(); i += 4)
                decoded.push_back({row[i], row[i + 1], row[i + 2], row[i + 3]});
        }
        texels.push_back(std::move(decoded));
        unit.levels[n] = {memory.back().data(), uint32_t(row_B), slice_B, lw, lh, ld};
    }
}

namespace {

constexpr int kBorder = -1;

/// Table 8.22: wrap of a texel index.
int wrap(Wrap mode, int i, int size) {
    const auto mod = [](int a, int n) { return ((a % n) + n) % n; };
    switch (mode) {
        case Wrap::Repeat:
            return mod(i, size);
        case Wrap::ClampToEdge:
            return std::clamp(i, 0, size - 1);
        case Wrap::MirroredRepeat: {
            const int a = mod(i, 2 * size) - size;
            return (size - 1) - (a >= 0 ? a : -(1 + a));
        }
        case Wrap::MirrorClampToEdge:
            return std::min(i < 0 ? -1 - i : i, size - 1);
        case Wrap::ClampToBorder:
            return i < 0 || i >= size ? kBorder : i;
    }
    return 0;
}

bool passes(Compare compare, double ref, double depth) {
    switch (compare) {
        case Compare::Never:
            return false;
        case Compare::Less:
            return ref < depth;
        case Compare::Equal:
            return ref == depth;
        case Compare::LessEqual:
            return ref <= depth;
        case Compare::Greater:
            return ref > depth;
        case Compare::NotEqual:
            return ref != depth;
        case Compare::GreaterEqual:
            return ref >= depth;
        case Compare::Always:
            return true;
    }
    return false;
}

struct Sampling {
    const Texture& tex;
    double ref;
    double* margin;

    Color tap(int level, int x, int y, int z) const {
        const pipe::SamplerDesc& s = tex.unit.sampler;
        Color c;
        if (x == kBorder || y == kBorder || z == kBorder) {
            const pipe::FormatInfo& f = pipe::format_info(tex.unit.format);
            const bool luminance = f.channel[0].letter == 'L';
            for (unsigned n = 0; n < 4; ++n)
                c[n] = f.swizzle[n] > pipe::Swizzle::Channel3 ? double(f.swizzle[n] == pipe::Swizzle::One)
                       : luminance && n < 3                   ? s.border[0]
                                                              : s.border[n];
            if (f.is_depth_stencil()) c = {s.border[0], 0, 0, 1};
        } else {
            c = tex.texel(level, x, y, z);
        }
        if (s.compare_enable) {
            *margin = std::min(*margin, std::abs(c[0] - ref) * 1e5);
            c[0] = passes(s.compare, ref, c[0]);
        }
        return c;
    }

    Color level(int n, Filter filter, const double (&at)[3], const Wrap (&modes)[3], const int (&size)[3],
                int axes, int layer) const {
        int low[3] = {0, 0, layer}, high[3] = {0, 0, layer};
        double f[3] = {};
        for (int a = 0; a < axes; ++a) {
            const double u = at[a] * size[a] - (filter == Filter::Linear ? 0.5 : 0);
            const int i = int(std::floor(u));
            f[a] = filter == Filter::Linear ? u - i : 0;
            if (filter == Filter::Nearest) *margin = std::min({*margin, u - i, i + 1 - u});
            low[a] = wrap(modes[a], i, size[a]);
            high[a] = wrap(modes[a], i + 1, size[a]);
        }
        Color sum = {};
        for (int corner = 0; corner < 8; ++corner) {
            double weight = 1;
            int c[3];
            for (int a = 0; a < 3; ++a) {
                const bool up = corner >> a & 1;
                weight *= up ? f[a] : 1 - f[a];
                c[a] = up ? high[a] : low[a];
            }
            if (weight == 0) continue;
            const Color t = tap(n, c[0], c[1], c[2]);
            for (unsigned k = 0; k < 4; ++k)
                sum[k] += weight * t[k];
        }
        return sum;
    }
};

/// Table 8.25.
int cube_face(const Point& p, double* s, double* t, double* margin) {
    const double v[3] = {p.s, p.t, p.r}, a[3] = {std::abs(p.s), std::abs(p.t), std::abs(p.r)};
    int axis = 0;
    if (a[1] > a[axis]) axis = 1;
    if (a[2] > a[axis]) axis = 2;
    for (int o = 0; o < 3; ++o)
        if (o != axis) *margin = std::min(*margin, (a[axis] - a[o]) * 10);
    const bool negative = v[axis] < 0;
    double sc, tc;
    if (axis == 0)
        sc = negative ? v[2] : -v[2], tc = -v[1];
    else if (axis == 1)
        sc = v[0], tc = negative ? -v[2] : v[2];
    else
        sc = negative ? -v[0] : v[0], tc = -v[1];
    *s = (sc / a[axis] + 1) / 2;
    *t = (tc / a[axis] + 1) / 2;
    return axis * 2 + negative;
}

}  // namespace

Color reference_sample(const Texture& texture, const Point& p, double* margin) {
    const TextureUnit& u = texture.unit;
    const pipe::SamplerDesc& s = u.sampler;
    const bool volume = u.kind == ResourceKind::Tex3D;
    double at[3] = {p.s, p.t, p.r};
    Wrap modes[3] = {s.wrap_s, s.wrap_t, s.wrap_r};
    int layer = 0;
    *margin = 1;
    if (u.kind == ResourceKind::Tex2DArray) {
        layer = std::clamp(int(std::floor(p.layer + 0.5)), 0, u.layers - 1);
        const double f = p.layer + 0.5 - std::floor(p.layer + 0.5);
        *margin = std::min({*margin, f, 1 - f});
    }
    if (u.kind == ResourceKind::Cube) {
        layer = cube_face(p, &at[0], &at[1], margin);
        modes[0] = modes[1] = Wrap::ClampToEdge;
    }
    const Sampling sampling{texture, p.ref, margin};
    const auto level = [&](int n, Filter f) {
        const TextureUnit::Level& l = u.levels[n];
        const int size[3] = {l.width, l.height, l.depth};
        return sampling.level(n, f, at, modes, size, volume ? 3 : 2, layer);
    };
    *margin = std::min(*margin, std::abs(p.lambda));
    if (p.lambda <= 0) return level(0, s.mag);
    if (s.mip == MipFilter::None) return level(0, s.min);
    const double d = std::clamp(p.lambda, 0.0, double(u.last_level));
    if (s.mip == MipFilter::Nearest) {
        const double half = d + 0.5 - std::floor(d + 0.5);
        *margin = std::min({*margin, half, 1 - half});
        return level(std::min(int(std::ceil(d + 0.5)) - 1, u.last_level), s.min);
    }
    const int low = int(std::floor(d));
    const Color a = level(low, s.min), b = level(std::min(low + 1, u.last_level), s.min);
    Color c;
    for (unsigned k = 0; k < 4; ++k)
        c[k] = a[k] + (b[k] - a[k]) * (d - low);
    return c;
}

}  // namespace terrazzo::soft::test

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "shaders/ir/half.h"
#include "shaders/ir/memory.h"

namespace terrazzo::ir {

namespace {

enum class Kind : uint8_t { Float, Half, Unorm, Snorm, Sint, Uint };
struct FormatRow {
    uint8_t components, component_B;
    Kind kind;
};
constexpr std::array<FormatRow, size_t(ImageFormat::R32ui) + 1> kFormats = {{
    {0, 0, Kind::Uint},  // None
    {4, 4, Kind::Float},
    {4, 2, Kind::Half},
    {1, 4, Kind::Float},
    {4, 1, Kind::Unorm},
    {4, 1, Kind::Snorm},
    {4, 4, Kind::Sint},
    {4, 2, Kind::Sint},
    {4, 1, Kind::Sint},
    {1, 4, Kind::Sint},
    {4, 4, Kind::Uint},
    {4, 2, Kind::Uint},
    {4, 1, Kind::Uint},
    {1, 4, Kind::Uint},
}};

const FormatRow& row_of(ImageFormat f) {
    return kFormats[size_t(f)];
}

uint32_t word(float f) {
    return std::bit_cast<uint32_t>(f);
}

/// Converts a component's bits to the word that a shader loads.
uint32_t decode(const FormatRow& f, uint32_t bits) {
    const unsigned shift = 32 - 8 * f.component_B;
    switch (f.kind) {
        case Kind::Float:
        case Kind::Uint:
            return bits;
        case Kind::Half:
            return word(half_to_float(uint16_t(bits)));
        case Kind::Unorm:
            return word(float(bits) / 255.0f);
        case Kind::Snorm:
            return word(std::max(float(int8_t(bits)) / 127.0f, -1.0f));
        case Kind::Sint:
            return uint32_t(int32_t(bits << shift) >> shift);
    }
    return 0;
}

/// The nearest integer to v * scale; 0 for NaN.
int32_t quantize(float v, float low, float scale) {
    if (!(v > low)) v = std::isnan(v) ? 0.0f : low;
    return int32_t(std::floor(std::min(v, 1.0f) * scale + 0.5f));
}

uint32_t encode(const FormatRow& f, uint32_t value) {
    const float v = std::bit_cast<float>(value);
    const unsigned bits = 8 * f.component_B;
    switch (f.kind) {
        case Kind::Float:
            return value;
        case Kind::Half:
            return half_from_float(v);
        case Kind::Unorm:
            return uint32_t(quantize(v, 0.0f, 255.0f));
        case Kind::Snorm:
            return uint32_t(quantize(v, -1.0f, 127.0f));
        case Kind::Sint: {
            const int64_t limit = int64_t(1) << (bits - 1);
            return uint32_t(std::clamp<int64_t>(int32_t(value), -limit, limit - 1));
        }
        case Kind::Uint:
            return bits == 32 ? value : std::min(value, (1u << bits) - 1);
    }
    return 0;
}

void load(const uint8_t* texel, const FormatRow& f, uint32_t out[4]) {
    const bool integer = f.kind == Kind::Sint || f.kind == Kind::Uint;
    out[0] = out[1] = out[2] = 0;
    out[3] = integer ? 1 : word(1.0f);
    for (unsigned c = 0; c < f.components; c++) {
        uint32_t bits = 0;
        const uint8_t* const from = texel + c * f.component_B;
        // Other threads may access the same words at the same time.
        if (f.component_B == 4)
            bits = __atomic_load_n(reinterpret_cast<const uint32_t*>(from), __ATOMIC_RELAXED);
        else
            std::memcpy(&bits, from, f.component_B);
        out[c] = decode(f, bits);
    }
}

void store(uint8_t* texel, const FormatRow& f, const uint32_t value[4]) {
    for (unsigned c = 0; c < f.components; c++) {
        const uint32_t bits = encode(f, value[c]);
        uint8_t* const to = texel + c * f.component_B;
        if (f.component_B == 4)
            __atomic_store_n(reinterpret_cast<uint32_t*>(to), bits, __ATOMIC_RELAXED);
        else
            std::memcpy(to, &bits, f.component_B);
    }
}

class Lane {
  public:
    Lane(const ImageAccess& a, unsigned lane) : a_(a), lane_(lane) {}
    void run() {
        if (a_.op == Op::ImageSize) return size();
        uint8_t* const texel = find();
        if (!texel) return;  // loads are 0 already
        const FormatRow& f = row_of(format_);
        uint32_t value[4] = {}, out[4];
        for (unsigned n = 0; n < 4; n++)
            if (a_.value[n]) value[n] = a_.value[n][lane_];
        if (a_.op == Op::LoadImage) {
            load(texel, f, out);
            for (unsigned n = 0; n < 4; n++)
                a_.out[n][lane_] = out[n];
        } else if (a_.op == Op::StoreImage) {
            store(texel, f, value);
        } else if (texel_size_B(format_) == 4) {
            const bool compares = a_.info->op == MemOp::CompareExchange;
            a_.out[0][lane_] = exchange(reinterpret_cast<uint32_t*>(texel), a_.info->op,
                                        compares ? value[0] : 0, value[compares ? 1 : 0]);
        }
    }

  private:
    void size() {
        const uint32_t index = a_.index ? a_.index[lane_] : 0;
        if (index >= a_.info->count || !a_.slots[index].data) return;
        const ImageRange& image = a_.slots[index];
        const bool row = a_.info->dim == TexDim::D1 || a_.info->dim == TexDim::Buffer;
        const uint32_t layers = a_.info->dim == TexDim::Cube ? image.depth / 6 : image.depth;
        const uint32_t sizes[3] = {image.width, row ? layers : image.height, layers};
        for (unsigned n = 0; n < mem_result_count(a_.op, *a_.info); n++)
            a_.out[n][lane_] = sizes[n];
    }
    /// Null: there is no such texel, or its format has another size.
    uint8_t* find() {
        const uint32_t index = a_.index ? a_.index[lane_] : 0;
        if (index >= a_.info->count) return nullptr;
        const ImageRange& image = a_.slots[index];
        if (!image.data) return nullptr;
        format_ = a_.info->format == ImageFormat::None ? image.format : a_.info->format;
        if (texel_size_B(format_) != texel_size_B(image.format)) return nullptr;
        uint32_t at[3] = {};
        for (unsigned n = 0; n < 3; n++)
            if (a_.coord[n]) at[n] = a_.coord[n][lane_];
        if (a_.info->dim == TexDim::D1 && a_.info->arrayed) std::swap(at[1], at[2]);
        if (at[0] >= image.width || at[1] >= image.height || at[2] >= image.depth) return nullptr;
        return image.data + at[2] * image.slice_stride_B + at[1] * image.row_stride_B +
               uint64_t(at[0]) * texel_size_B(format_);
    }

    const ImageAccess& a_;
    const unsigned lane_;
    ImageFormat format_ = ImageFormat::None;
};

/// For images without an index: computes what all lanes have in common once.
class Row {
  public:
    explicit Row(const ImageAccess& a) : a_(a), image_(a.slots[0]) {
        format_ = a.info->format == ImageFormat::None ? image_.format : a.info->format;
        bound_ = a.info->count && image_.data && texel_size_B(format_) == texel_size_B(image_.format);
        const bool swap = a.info->dim == TexDim::D1 && a.info->arrayed;
        for (unsigned n = 0; n < 3; n++)
            coord_[swap && n ? 3 - n : n] = a.coord[n];
    }
    void run() const {
        if (!bound_) return;
        const FormatRow f = row_of(format_);
        for (uint64_t rest = a_.mask; rest; rest &= rest - 1) {
            const auto lane = unsigned(std::countr_zero(rest));
            if (uint8_t* const texel = find(lane)) access(f, lane, texel);
        }
    }

  private:
    [[nodiscard]] uint8_t* find(unsigned lane) const {
        const uint32_t sizes[3] = {image_.width, image_.height, image_.depth};
        uint32_t at[3] = {};
        for (unsigned n = 0; n < 3; n++) {
            if (coord_[n]) at[n] = coord_[n][lane];
            if (at[n] >= sizes[n]) return nullptr;
        }
        return image_.data + at[2] * image_.slice_stride_B + at[1] * image_.row_stride_B +
               uint64_t(at[0]) * texel_size_B(format_);
    }
    void access(const FormatRow& f, unsigned lane, uint8_t* texel) const {
        uint32_t value[4] = {};
        if (a_.op == Op::LoadImage) {
            if (format_ == ImageFormat::Rgba8)
                load_bytes(texel, value);
            else
                load(texel, f, value);
            for (unsigned n = 0; n < 4; n++)
                a_.out[n][lane] = value[n];
            return;
        }
        for (unsigned n = 0; n < 4; n++)
            value[n] = a_.value[n][lane];
        store(texel, f, value);
    }
    static void load_bytes(const uint8_t* texel, uint32_t out[4]) {
        uint32_t bits;
        std::memcpy(&bits, texel, sizeof bits);
        for (unsigned c = 0; c < 4; c++)
            out[c] = word(float(bits >> 8 * c & 255) / 255.0f);
    }

    const ImageAccess& a_;
    const ImageRange& image_;
    const uint32_t* coord_[3] = {};
    ImageFormat format_;
    bool bound_;
};

}  // namespace

uint32_t texel_size_B(ImageFormat f) {
    return uint32_t(row_of(f).components) * row_of(f).component_B;
}

void access_image(const ImageAccess& a) {
    for (unsigned n = 0; n < mem_result_count(a.op, *a.info); n++)
        std::fill_n(a.out[n], a.lanes, 0u);
    if (!a.index && (a.op == Op::LoadImage || a.op == Op::StoreImage)) return Row(a).run();
    for (uint64_t rest = a.mask; rest; rest &= rest - 1)
        Lane(a, unsigned(std::countr_zero(rest))).run();
}

}  // namespace terrazzo::ir

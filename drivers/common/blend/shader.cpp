// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules: pipe/raster/blend.h (OpenGL ES 3.2 section 15.1.5).
#include "drivers/common/blend/shader.h"

#include <utility>

#include "drivers/common/blend/advanced.h"

namespace terrazzo::blend {

namespace {

using ir::Op;
using ir::Value;
using pipe::BlendFactor;
using pipe::BlendOp;
using pipe::raster::ColorRange;

class BlendBuilder {
  public:
    BlendBuilder(ir::Shader& s, const ShaderDesc& desc)
        : b_(s), desc_(desc), range_(pipe::raster::color_range(desc.format)) {}
    void run();
    /// Of integer formats, which are not blended.
    void run_integers() {
        for (unsigned c = 0; c < 4; ++c) {
            Value* const v = desc_.write_mask >> c & 1
                                 ? b_.load_input(ir::Type::I32, unsigned(ir::VaryingSlot::Varying0), c)
                                 : b_.load_sysval(ir::Sysval::LastColor0, c, ir::Type::I32);
            b_.store_output(unsigned(ir::FragSlot::Color0), c, v);
        }
    }

  private:
    enum Source { kFirst, kSecond };
    Value* raw(Source s, unsigned c);
    Value* source(Source s, unsigned c);
    Value* dest(unsigned c);
    Value* constant(unsigned c);
    Value* in_range(Value* v);
    Value* factor(BlendFactor f, unsigned c);
    Value* times(Value* v, BlendFactor f, unsigned c);
    Value* channel(BlendOp op, BlendFactor src, BlendFactor dst, unsigned c);

    ir::Builder b_;
    const ShaderDesc& desc_;
    const ColorRange range_;
    Value* raw_[2][4] = {};
    Value* source_[2][4] = {};
    Value* dest_[4] = {};
    Value* constant_[4] = {};
};

Value* BlendBuilder::raw(Source s, unsigned c) {
    Value*& v = raw_[s][c];
    if (!v && s == kSecond && !desc_.has_second) v = b_.f32(0);
    if (!v && s == kFirst && c == 3 && desc_.alpha_to_one) v = b_.f32(1);
    if (!v) v = b_.load_input(ir::Type::F32, unsigned(ir::VaryingSlot::Varying0) + s, c);
    return v;
}

/// Rounds to the format; four channels of 8 bits are blended in integers.
Value* BlendBuilder::in_range(Value* v) {
    v = clamp_to(b_, range_, v);
    if (range_ != ColorRange::Unorm8) return v;
    return b_.fmul(b_.alu(Op::FRound, b_.fmul(v, b_.f32(255))), b_.f32(1 / 255.0f));
}

Value* BlendBuilder::source(Source s, unsigned c) {
    Value*& v = source_[s][c];
    if (!v) v = s == kFirst && c == 3 && desc_.alpha_to_one ? raw(s, c) : in_range(raw(s, c));
    return v;
}

Value* BlendBuilder::dest(unsigned c) {
    if (!dest_[c] && !(stored_channels(desc_.format) >> c & 1)) dest_[c] = b_.f32(c == 3 ? 1 : 0);
    if (!dest_[c]) dest_[c] = b_.load_sysval(ir::Sysval::LastColor0, c, ir::Type::F32);
    return dest_[c];
}

Value* BlendBuilder::constant(unsigned c) {
    Value*& v = constant_[c];
    if (!v) v = in_range(b_.load_uniform(ir::Type::F32, desc_.color_at_dw + c));
    return v;
}

/// The factor's value, or the value that it is one minus of.
Value* BlendBuilder::factor(BlendFactor f, unsigned c) {
    switch (f) {
        case BlendFactor::Zero:
        case BlendFactor::One:
            break;
        case BlendFactor::SrcColor:
        case BlendFactor::OneMinusSrcColor:
            return source(kFirst, c);
        case BlendFactor::DstColor:
        case BlendFactor::OneMinusDstColor:
            return dest(c);
        case BlendFactor::SrcAlpha:
        case BlendFactor::OneMinusSrcAlpha:
            return source(kFirst, 3);
        case BlendFactor::DstAlpha:
        case BlendFactor::OneMinusDstAlpha:
            return dest(3);
        case BlendFactor::ConstColor:
        case BlendFactor::OneMinusConstColor:
            return constant(c);
        case BlendFactor::ConstAlpha:
        case BlendFactor::OneMinusConstAlpha:
            return constant(3);
        case BlendFactor::SrcAlphaSaturate:  // only for colour: alpha's is One (simplify)
            return b_.alu(Op::FMin, source(kFirst, 3), b_.fsub(b_.f32(1), dest(3)));
        case BlendFactor::Src1Color:
        case BlendFactor::OneMinusSrc1Color:
            return source(kSecond, c);
        case BlendFactor::Src1Alpha:
        case BlendFactor::OneMinusSrc1Alpha:
            return source(kSecond, 3);
    }
    return b_.f32(1);
}

/// Null: 0. Infinite colours times 0 are 0, too.
Value* BlendBuilder::times(Value* v, BlendFactor f, unsigned c) {
    if (f == BlendFactor::Zero) return nullptr;
    if (f == BlendFactor::One) return v;
    Value* const by = factor(f, c);
    return b_.fmul(v, is_one_minus(f) ? b_.fsub(b_.f32(1), by) : by);
}

Value* BlendBuilder::channel(BlendOp op, BlendFactor src, BlendFactor dst, unsigned c) {
    if (op == BlendOp::Min) return b_.alu(Op::FMin, raw(kFirst, c), dest(c));
    if (op == BlendOp::Max) return b_.alu(Op::FMax, raw(kFirst, c), dest(c));
    if (op == BlendOp::Add && src == BlendFactor::One && dst == BlendFactor::Zero) return raw(kFirst, c);
    Value* s = src == BlendFactor::Zero ? nullptr : times(source(kFirst, c), src, c);
    Value* d = dst == BlendFactor::Zero ? nullptr : times(dest(c), dst, c);
    if (op == BlendOp::ReverseSubtract) std::swap(s, d);
    if (op == BlendOp::Add) return !s ? (d ? d : b_.f32(0)) : d ? b_.fadd(s, d) : s;
    return !d ? (s ? s : b_.f32(0)) : s ? b_.fsub(s, d) : b_.fneg(d);
}

void BlendBuilder::run() {
    const pipe::BlendTargetDesc& d = desc_.desc;
    const uint8_t stored = stored_channels(desc_.format);
    Value* advanced[4] = {};
    if (d.advanced != pipe::AdvancedBlend::None) {
        Value* const src[4] = {clamp_to(b_, range_, raw(kFirst, 0)), clamp_to(b_, range_, raw(kFirst, 1)),
                               clamp_to(b_, range_, raw(kFirst, 2)), clamp_to(b_, range_, raw(kFirst, 3))};
        Value* const dst[4] = {dest(0), dest(1), dest(2), dest(3)};
        emit_advanced(b_, d.advanced, src, dst, advanced);
    }
    for (unsigned c = 0; c < 4; ++c) {
        Value* v;
        if (!(stored >> c & 1))
            v = raw(kFirst, c);
        else if (!(desc_.write_mask >> c & 1))
            v = dest(c);
        else if (advanced[c])
            v = advanced[c];
        else
            v = c < 3 ? channel(d.op_rgb, d.src_rgb, d.dst_rgb, c)
                      : channel(d.op_alpha, d.src_alpha, d.dst_alpha, c);
        b_.store_output(unsigned(ir::FragSlot::Color0), c, v);
    }
}

}  // namespace

Value* clamp_to(ir::Builder& b, ColorRange range, Value* v) {
    switch (range) {
        case ColorRange::Unorm8:
        case ColorRange::Unorm:
            return b.alu(Op::FSat, v);
        case ColorRange::Snorm:
            return b.alu(Op::FMin, b.alu(Op::FMax, v, b.f32(-1)), b.f32(1));
        case ColorRange::Float:
            break;
    }
    return v;
}

std::unique_ptr<ir::Shader> create_shader(const ShaderDesc& desc) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    BlendBuilder builder(*s, desc);
    if (pipe::format_info(desc.format).is_pure_int())
        builder.run_integers();
    else
        builder.run();
    return s;
}

}  // namespace terrazzo::blend

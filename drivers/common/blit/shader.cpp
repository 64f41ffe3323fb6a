// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/blit/shader.h"

#include <cstddef>

#include "shaders/ir/builder.h"
#include "shaders/passes/gather_info.h"

namespace terrazzo::blits {
namespace {

using ir::Op;
using ir::Type;
using ir::Value;

class BlitShader {
  public:
    BlitShader(ir::Shader& s, const ShaderKey& key) : b_(s), key_(key) {}
    void build() {
        for (unsigned c = 0; c < 2; ++c)
            find(c);
        using V = ShaderKey::Value;
        switch (key_.value) {
            case V::Float:
            case V::Integer:
                return store_color();
            case V::Depth:
                return store(ir::FragSlot::Depth, 0, Type::F32);
            case V::Stencil:
                return store(ir::FragSlot::Stencil, 0, Type::I32);
            case V::DepthStencil:
                store(ir::FragSlot::Depth, 0, Type::F32);
                return store(ir::FragSlot::Stencil, 1, Type::I32);
        }
    }

  private:
    Value* uniform(size_t offset_B) { return b_.load_uniform(Type::I32, uint32_t(offset_B / 4)); }
    Value* axis(unsigned c, size_t offset_B) {
        return uniform(offsetof(Uniforms, axis) + c * sizeof(AxisUniforms) + offset_B);
    }
    Value* clamped(unsigned c, Value* at) {
        return b_.alu(Op::IMax, b_.i32(0), b_.alu(Op::IMin, at, axis(c, offsetof(AxisUniforms, last))));
    }
    /// Finds the texels of an axis: at_[0] and, if filtered, at_[1] with its weight.
    void find(unsigned c) {
        Value* const pixel =
            b_.convert(Op::F2I, Type::I32, b_.load_sysval(ir::Sysval::FragCoord, c, Type::F32));
        Value* k = b_.alu(Op::ISub, pixel, axis(c, offsetof(AxisUniforms, dst)));
        Value *n = nullptr, *divisor = nullptr;
        if (key_.scaled) {
            Value* const odd = b_.iadd(b_.iadd(k, k), b_.i32(1));
            n = b_.iadd(b_.imul(odd, axis(c, offsetof(AxisUniforms, src_size))),
                        axis(c, offsetof(AxisUniforms, add)));
            divisor = axis(c, offsetof(AxisUniforms, divisor));
            k = b_.alu(Op::UDiv, n, divisor);
        }
        Value* const sign = axis(c, offsetof(AxisUniforms, sign));
        Value* const at = b_.iadd(axis(c, offsetof(AxisUniforms, base)), b_.imul(k, sign));
        if (!key_.linear) {
            at_[0][c] = at;
            return;
        }
        at_[0][c] = clamped(c, b_.alu(Op::ISub, at, sign));
        at_[1][c] = clamped(c, at);
        Value* const rest = b_.alu(Op::ISub, n, b_.imul(k, divisor));
        weight_[c] = b_.fdiv(b_.convert(Op::U2F, Type::F32, rest), b_.convert(Op::U2F, Type::F32, divisor));
    }
    const ir::Instr* fetch(Value* x, Value* y, int texture, Type type) {
        ir::TexInfo t;
        t.op = ir::TexOp::Fetch;
        t.dim = key_.volume ? ir::TexDim::D3 : ir::TexDim::D2;
        t.coord_count = key_.volume ? 3 : 2;
        t.result = type;
        t.binding = texture;
        Value* const level = b_.i32(0);
        Value* at[4] = {x, y, level, level};
        if (key_.volume) at[2] = uniform(offsetof(Uniforms, z));
        return b_.tex(t, {at, size_t(t.coord_count) + 1});
    }
    void store(ir::FragSlot slot, int texture, Type type) {
        b_.store_output(uint32_t(slot), 0, fetch(at_[0][0], at_[0][1], texture, type)->result(0));
    }
    Value* mix(Value* a, Value* b, Value* weight) { return b_.fadd(a, b_.fmul(b_.fsub(b, a), weight)); }
    void store_color() {
        const Type type = key_.value == ShaderKey::Value::Integer ? Type::I32 : Type::F32;
        const ir::Instr* const first = fetch(at_[0][0], at_[0][1], 0, type);
        const ir::Instr *right = nullptr, *below = nullptr, *last = nullptr;
        if (key_.linear) {
            right = fetch(at_[1][0], at_[0][1], 0, type);
            below = fetch(at_[0][0], at_[1][1], 0, type);
            last = fetch(at_[1][0], at_[1][1], 0, type);
        }
        for (uint32_t c = 0; c < 4; ++c) {
            const unsigned from = key_.component[c];
            Value* v = first->result(from);
            if (key_.linear)
                v = mix(mix(v, right->result(from), weight_[0]),
                        mix(below->result(from), last->result(from), weight_[0]), weight_[1]);
            b_.store_output(0, c, v);
        }
    }

    ir::Builder b_;
    const ShaderKey& key_;
    Value *at_[2][2] = {}, *weight_[2] = {};
};

}  // namespace

AxisUniforms axis_uniforms(int64_t src, int64_t src_size, int64_t dst, int64_t dst_size, int32_t src_limit,
                           bool linear) {
    if (dst_size < 0) {
        dst += dst_size, dst_size = -dst_size;
        src += src_size, src_size = -src_size;
    }
    const bool mirrored = src_size < 0;
    AxisUniforms u;
    u.dst = int32_t(dst);
    u.src_size = int32_t(mirrored ? -src_size : src_size);
    u.divisor = int32_t(2 * dst_size);
    u.base = int32_t(mirrored ? src - 1 : src);
    u.sign = mirrored ? -1 : 1;
    u.last = src_limit - 1;
    // A sample point between two texels belongs to the second one, which is the first one in the mirrored
    // direction.
    u.add = linear ? int32_t(dst_size) : mirrored ? -1 : 0;
    return u;
}

std::unique_ptr<ir::Shader> fragment_shader(const ShaderKey& key) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    BlitShader(*s, key).build();
    ir::gather_info(*s);
    return s;
}

}  // namespace terrazzo::blits

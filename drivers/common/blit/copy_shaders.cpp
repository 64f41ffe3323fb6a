// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/blit/copy_shaders.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/passes/gather_info.h"

namespace terrazzo::blits {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;

class LoadShader {
  public:
    LoadShader(ir::Shader& s, const LoadKey& key) : b_(s), key_(key) {
        const LoadKey::Other other = key.other;
        for (uint32_t c = 0; c < 2; ++c)
            at_[c] = b_.convert(Op::F2I, Type::I32, b_.load_sysval(ir::Sysval::FragCoord, c, Type::F32));
        at_[2] = other_at_[2] = b_.i32(0);  // the level
        if (key.read == LoadKey::Samples::Each)
            at_[2] = other_at_[2] = b_.load_sysval(ir::Sysval::SampleId, 0, Type::I32);
        for (uint32_t c = 0; c < 2 && other == LoadKey::Other::All; ++c)
            at_[c] = b_.iadd(at_[c], uniform(offsetof(LoadUniforms, from_x), c));
        if (other != LoadKey::Other::Box) return;
        for (uint32_t c = 0; c < 2; ++c) {
            Value* const at = b_.alu(Op::ISub, at_[c], uniform(offsetof(LoadUniforms, x), c));
            // A pixel before the box is, as an unsigned number, beyond its last pixel.
            Value* const near = b_.alu(Op::UMin, at, uniform(offsetof(LoadUniforms, last_x), c));
            Value* const inside = b_.alu(Op::IEq, at, near);
            inside_ = c ? b_.iand(inside_, inside) : inside;
            other_at_[c] = b_.iadd(near, uniform(offsetof(LoadUniforms, from_x), c));
        }
    }
    /// Stores the first `count` components of the next texture's texel to an output.
    void load(uint32_t slot, uint32_t count, Type type) {
        using Samples = LoadKey::Samples;
        const bool is_other = key_.other == LoadKey::Other::All;
        const Texel texel = fetch(at_, type, count, is_other || key_.read == Samples::Each);
        const Texel other = inside_ ? fetch(other_at_, type, count, key_.read != Samples::One) : texel;
        for (uint32_t c = 0; c < count; ++c)
            b_.store_output(slot, c, inside_ ? b_.select(inside_, other[c], texel[c]) : texel[c]);
    }

  private:
    Value* uniform(size_t offset_B, uint32_t axis) {
        return b_.load_uniform(Type::I32, uint32_t(offset_B / 4) + axis);
    }
    using Texel = std::array<Value*, 4>;
    /// The next texture's texel. `count`: the components that are used; one of them: of depth or stencil.
    Texel fetch(Value* const at[3], Type type, uint32_t count, bool multisampled) {
        const bool many = multisampled && key_.read != LoadKey::Samples::One;
        ir::TexInfo t;
        t.op = many ? ir::TexOp::FetchMS : ir::TexOp::Fetch;
        t.dim = many ? ir::TexDim::D2MS : ir::TexDim::D2;
        t.result = type;
        t.binding = next_++;
        const bool mean = many && key_.read == LoadKey::Samples::Resolve && count > 1 && !key_.integers;
        Texel sum{};
        for (uint32_t n = 0; n < (mean ? key_.samples : 1); ++n) {
            Value* const place[] = {at[0], at[1], n ? b_.i32(int32_t(n)) : at[2]};
            const ir::Instr* const texel = b_.tex(t, place);
            for (uint32_t c = 0; c < 4; ++c)
                sum[c] = n ? b_.fadd(sum[c], texel->result(c)) : texel->result(c);
        }
        for (uint32_t c = 0; mean && c < count; ++c)
            sum[c] = b_.fmul(sum[c], b_.f32(1 / float(key_.samples)));
        return sum;
    }

    ir::Builder b_;
    const LoadKey& key_;
    Value *at_[3], *other_at_[3], *inside_ = nullptr;
    int next_ = 0;
};

class CopyShader {
  public:
    CopyShader(ir::Shader& s, const CopyKey& key) : b_(s), key_(key) {}
    void build() {
        Value* const x = invocation(0, kCopyGroupWidth, offsetof(CopyUniforms, last_x));
        Value* const y = invocation(1, kCopyGroupHeight, offsetof(CopyUniforms, last_y));
        floats_ = std::bit_cast<uint32_t>(key_.unorm_bits) != 0 && !key_.packs_texels;
        Value* texel[4];
        const unsigned count = floats_ ? 4 : std::max(1u, key_.element_B / 4u);
        if (key_.halve)
            average(x, y, count, texel);
        else
            fetch(b_.iadd(x, uniform(offsetof(CopyUniforms, from_x))),
                  b_.iadd(y, uniform(offsetof(CopyUniforms, from_y))), count, texel);
        std::vector<Value*> store = {offset(b_.iadd(x, uniform(offsetof(CopyUniforms, to_x))),
                                            b_.iadd(y, uniform(offsetof(CopyUniforms, to_y))))};
        if (floats_)
            pack(texel, &store);
        else
            store.insert(store.end(), texel, texel + count);
        ir::Instr* const i = b_.shader.create(Op::StoreBuffer, store, {});
        i->u.mem = b_.shader.create_mem({.words = uint8_t(store.size() - 1),
                                         .element_B = std::min<uint8_t>(key_.element_B, 4),
                                         .binding = 0});
        b_.insert(i);
    }

  private:
    Value* uniform(size_t offset_B) { return b_.load_uniform(Type::I32, uint32_t(offset_B / 4)); }
    Value* shl(Value* v, unsigned n) { return b_.alu(Op::IShl, v, b_.i32(int32_t(n))); }
    Value* shr(Value* v, unsigned n) { return b_.alu(Op::UShr, v, b_.i32(int32_t(n))); }
    Value* low(Value* v, uint32_t mask) { return b_.iand(v, b_.i32(int32_t(mask))); }
    /// The element of the region that an invocation copies. Invocations beyond the end repeat the last
    /// element.
    Value* invocation(unsigned axis, uint32_t group, size_t last) {
        Value* const first =
            shl(b_.load_sysval(ir::Sysval::WorkGroupId, axis, Type::I32), unsigned(std::countr_zero(group)));
        Value* const at = b_.iadd(first, b_.load_sysval(ir::Sysval::LocalInvocationId, axis, Type::I32));
        return b_.alu(Op::UMin, at, uniform(last));
    }
    void fetch(Value* x, Value* y, unsigned count, Value* out[4]) {
        ir::TexInfo t;
        t.op = ir::TexOp::Fetch;
        t.result = floats_ || key_.packs_texels ? Type::F32 : Type::I32;
        t.binding = 0;
        Value* const at[] = {x, y, b_.i32(0)};
        const ir::Instr* const texel = b_.tex(t, at);
        if (!key_.packs_texels) {
            for (unsigned c = 0; c < count; ++c)
                out[c] = texel->result(c);
            return;
        }
        Value* const channels[] = {texel->result(0), texel->result(1), texel->result(2), texel->result(3)};
        std::vector<Value*> words;
        pack(channels, &words);
        std::copy(words.begin(), words.end(), out);
    }
    /// Averages floats in the order of pipe/blit/mipmap.cpp: rows first.
    void average(Value* x, Value* y, unsigned count, Value* out[4]) {
        const auto first = [&](Value* v, size_t from, size_t step) {
            return b_.iadd(b_.iadd(v, b_.imul(v, uniform(step))), uniform(from));
        };
        Value* const x0 = first(x, offsetof(CopyUniforms, from_x), offsetof(CopyUniforms, halve_x));
        Value* const y0 = first(y, offsetof(CopyUniforms, from_y), offsetof(CopyUniforms, halve_y));
        Value* const x1 = b_.iadd(x0, uniform(offsetof(CopyUniforms, halve_x)));
        Value* const y1 = b_.iadd(y0, uniform(offsetof(CopyUniforms, halve_y)));
        Value* texel[4][4];
        fetch(x0, y0, count, texel[0]);
        fetch(x0, y1, count, texel[1]);
        fetch(x1, y0, count, texel[2]);
        fetch(x1, y1, count, texel[3]);
        const auto half = [&](Value* a, Value* b) {
            return b_.fadd(b_.fmul(a, b_.f32(0.5f)), b_.fmul(b, b_.f32(0.5f)));
        };
        for (unsigned c = 0; c < count; ++c) {
            Value* const of[] = {texel[0][c], texel[1][c], texel[2][c], texel[3][c]};
            out[c] = floats_ ? half(half(of[0], of[1]), half(of[2], of[3])) : average_bytes(of);
        }
    }
    /// Averages bytes 0 and 2, then 1 and 3, so that there is room for their sums.
    Value* average_bytes(Value* const of[4]) {
        constexpr uint32_t kBytes = 0x00ff00ff, kOnes = 0x00010001;
        Value* half[2];
        for (unsigned odd = 0; odd < 2; ++odd) {
            Value* sum = nullptr;
            for (unsigned n = 0; n < 4; ++n) {
                Value* const v = low(odd ? shr(of[n], 8) : of[n], kBytes);
                sum = sum ? b_.iadd(sum, v) : v;
            }
            Value* const up = b_.iadd(b_.iadd(sum, b_.i32(kOnes)), low(shr(sum, 2), kOnes));
            half[odd] = low(shr(up, 2), kBytes);
        }
        return b_.ior(half[0], shl(half[1], 8));
    }
    /// Moves bit n of a number below 16 to bit 2n.
    Value* spread(Value* v) {
        if (key_.tile_log2 > 2) v = low(b_.ior(v, shl(v, 2)), 0x33);
        return low(b_.ior(v, shl(v, 1)), 0x55);
    }
    /// The offset of an element. The order inside of tiles: pipe/layout/interleaved.h.
    Value* offset(Value* x, Value* y) {
        const unsigned element_log2 = unsigned(std::countr_zero(key_.element_B)), side = key_.tile_log2;
        Value* const stride = uniform(offsetof(CopyUniforms, row_stride_B));
        if (!side) return b_.iadd(b_.imul(y, stride), shl(x, element_log2));
        const uint32_t inside = (1u << side) - 1;
        Value* const rows = spread(low(y, inside));
        Value* const order = b_.alu(Op::IXor, spread(low(x, inside)), b_.ior(rows, shl(rows, 1)));
        Value* const element = b_.ior(shl(shr(x, side), 2 * side), order);
        return b_.iadd(b_.imul(shr(y, side), stride), shl(element, element_log2));
    }
    /// Rounds to the nearest value, as pipe's formats are packed.
    void pack(Value* const texel[4], std::vector<Value*>* store) {
        Value* word = nullptr;
        unsigned at = 0;
        for (unsigned c = 0; c < 4; ++c) {
            const unsigned bits = key_.unorm_bits[c];
            if (!bits) continue;
            const uint32_t most = (1u << bits) - 1;
            Value* v = nullptr;
            if (key_.component[c] == kCopyOne) {
                v = b_.i32(int32_t(most));
            } else {
                Value* const f = b_.alu(Op::FSat, texel[key_.component[c]]);
                v = b_.convert(Op::F2U, Type::I32, b_.alu(Op::FRound, b_.fmul(f, b_.f32(float(most)))));
            }
            word = word ? b_.ior(word, shl(v, at)) : v;
            at += bits;
            if (at < 32) continue;
            store->push_back(word);
            word = nullptr;
            at = 0;
        }
        if (word) store->push_back(word);
    }

    ir::Builder b_;
    const CopyKey& key_;
    bool floats_ = false;  // texels are floats
};

}  // namespace

std::unique_ptr<ir::Shader> load_fragment_shader(const LoadKey& key) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    LoadShader load(*s, key);
    for (uint32_t target = 0; target < 8; ++target)
        if (key.colors >> target & 1) load.load(target, 4, Type::F32);
    if (key.depth) load.load(uint32_t(ir::FragSlot::Depth), 1, Type::F32);
    if (key.stencil) load.load(uint32_t(ir::FragSlot::Stencil), 1, Type::I32);
    ir::gather_info(*s);
    return s;
}

std::unique_ptr<ir::Shader> copy_compute_shader(const CopyKey& key) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Compute);
    s->info.workgroup_size[0] = kCopyGroupWidth;
    s->info.workgroup_size[1] = kCopyGroupHeight;
    CopyShader(*s, key).build();
    ir::gather_info(*s);
    return s;
}

}  // namespace terrazzo::blits

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/vertex_fetch.h"

#include <algorithm>
#include <bit>

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

constexpr unsigned kWord_B = 4, kMostLoaded = 4;  // words of one LoadBuffer

bool is_signed(FetchType t) {
    switch (t) {
        case FetchType::Snorm:
        case FetchType::Sint:
        case FetchType::Sscaled:
        case FetchType::Fixed:
            return true;
        case FetchType::Unorm:
        case FetchType::Uint:
        case FetchType::Uscaled:
        case FetchType::Float:
            return false;
    }
    return false;
}

/// Where a channel lies in an attribute. No channel crosses a word.
struct Place {
    unsigned word, shift;
};
Place place_of(const FetchedAttribute& a, unsigned channel) {
    unsigned bit = 0;
    for (unsigned c = 0; c < channel; c++)
        bit += a.bits[c];
    return {bit / 32, bit % 32};
}

class Fetch {
  public:
    Fetch(Shader& s, const VertexFetchOptions& options) : s_(s), options_(options), b_(s) {}

    bool run() {
        for_each(s_.body, [&](Instr* i) {
            if (lowers(*i)) wanted_[i->u.io.slot] |= uint8_t(1u << i->u.io.component);
        });
        if (std::all_of(wanted_.begin(), wanted_.end(), [](uint8_t w) { return !w; })) return false;
        Instr* const first = s_.body->first;
        b_.set_before(first);
        for (unsigned n = 0; n < kMaxFetchedAttributes; n++)
            if (wanted_[n]) load(n);
        for_each(s_.body, [&](Instr* i) {
            if (!lowers(*i)) return;
            b_.set_before(i);
            b_.line = i->line;
            replace_uses(i->result(), component(i->u.io.slot, i->u.io.component, i->result()->type));
            erase(i);
        });
        return true;
    }

  private:
    [[nodiscard]] bool lowers(const Instr& i) const {
        return i.op == Op::LoadInput && !i.operand_count && i.u.io.slot < kMaxFetchedAttributes &&
               options_.attributes[i.u.io.slot].source != FetchedAttribute::Source::Device;
    }

    Value* sysval(Sysval which, Value** known) {
        if (!*known) *known = b_.load_sysval(which, 0, Type::I32);
        return *known;
    }
    Value* record_of(const FetchedAttribute& a) {
        if (!a.divisor) return sysval(Sysval::VertexId, &vertex_);
        Value* const instance = sysval(Sysval::InstanceId, &instance_);
        Value* const step = std::has_single_bit(a.divisor)
                                ? b_.alu(Op::UShr, instance, b_.i32(std::countr_zero(a.divisor)))
                                : b_.alu(Op::UDiv, instance, b_.i32(int32_t(a.divisor)));
        return b_.iadd(step, sysval(Sysval::BaseInstance, &base_instance_));
    }

    /// `count` words, the first of which has byte `place` + 4 * first.
    void load_words(const FetchedAttribute& a, Value* place, unsigned first, unsigned count, Value** to) {
        for (unsigned at = 0; at < count; at += kMostLoaded) {
            const unsigned words = std::min(count - at, kMostLoaded);
            constexpr Type kTypes[kMostLoaded] = {Type::I32, Type::I32, Type::I32, Type::I32};
            Instr* const i = s_.create(Op::LoadBuffer, std::span<Value* const>(&place, 1), {kTypes, words});
            i->u.mem = s_.create_mem({.space = Storage::Buffer,
                                      .qualifiers = mem_flag::kReadonly,
                                      .words = uint8_t(words),
                                      .binding = options_.first_binding + a.buffer,
                                      .offset_B = (first + at) * kWord_B});
            b_.insert(i);
            for (unsigned n = 0; n < words; n++)
                to[at + n] = i->result(n);
        }
    }

    /// The words of an attribute that hold components that are wanted.
    void load(unsigned location) {
        const FetchedAttribute& a = options_.attributes[location];
        unsigned first = 4, end = 0;
        for (unsigned c = 0; c < a.channels; c++) {
            if (a.source != FetchedAttribute::Source::Buffer || !(wanted_[location] >> c & 1)) continue;
            first = std::min(first, place_of(a, c).word);
            end = std::max(end, place_of(a, c).word + 1);
        }
        if (first >= end) return;
        Value* const record = record_of(a);
        Value* place = b_.imul(record, b_.i32(int32_t(a.stride_B)));
        place = b_.iadd(place, b_.i32(int32_t(a.offset_B)));
        const auto words = words_[location];
        // The lowest bit of offsets and strides says how a record may be aligned.
        const unsigned alignment_B = 1u << std::countr_zero(a.offset_B | a.stride_B | kWord_B);
        const unsigned count = end - first;
        if (alignment_B == kWord_B) {
            load_words(a, place, first, count, &words[first]);
        } else {
            Value* aligned[5];
            load_words(a, place, first, count + 1, aligned);
            Value* const shift = b_.alu(Op::IShl, b_.iand(place, b_.i32(3)), b_.i32(3));
            Value* const rest = b_.alu(Op::ISub, b_.i32(31), shift);
            for (unsigned n = 0; n < count; n++) {
                // Two shifts, as the sum of both is 32.
                Value* const high = b_.alu(Op::IShl, b_.alu(Op::IShl, aligned[n + 1], b_.i32(1)), rest);
                words[first + n] = b_.ior(b_.alu(Op::UShr, aligned[n], shift), high);
            }
        }
        if (options_.records_dw < 0) return;
        Value* const records = b_.load_uniform(Type::I32, uint32_t(options_.records_dw) + location);
        Value* const inside = b_.alu(Op::ULt, record, records);
        for (unsigned n = first; n < end; n++)
            words[n] = b_.select(inside, words[n], b_.i32(0));
    }

    Value* component(unsigned location, unsigned c, Type type) {
        const FetchedAttribute& a = options_.attributes[location];
        const bool missing = a.source == FetchedAttribute::Source::Nothing || c >= a.channels;
        const bool want_float = is_float(type);
        const Type wide = want_float ? Type::F32 : Type::I32;
        Value* v = nullptr;
        if (missing)
            v = want_float ? b_.f32(c == 3 ? 1.0f : 0.0f) : b_.i32(c == 3);
        else
            v = channel(a, c, words_[location][place_of(a, c).word], place_of(a, c).shift);
        // A format of another kind than the shader's input: its bits are undefined, their type is not.
        if (v->type != wide) v = b_.convert(Op::Bitcast, wide, v);
        if (bit_size(type) == 16) v = b_.convert(want_float ? Op::F2F : Op::U2U, type, v);
        return v;
    }

    Value* raw(const FetchedAttribute& a, unsigned c, Value* word, unsigned shift) {
        if (a.bits[c] == 32) return word;
        return b_.alu(is_signed(a.type) ? Op::IBitfieldExtract : Op::UBitfieldExtract, word,
                      b_.i32(int32_t(shift)), b_.i32(a.bits[c]));
    }

    /// An F32, or the I32 of integer formats. Normalized numbers of up to 16 bits are divided, so that they
    /// are rounded once.
    Value* channel(const FetchedAttribute& a, unsigned c, Value* word, unsigned shift) {
        const auto to_float = [&](Op op) { return b_.convert(op, Type::F32, raw(a, c, word, shift)); };
        const unsigned bits = a.bits[c];
        switch (a.type) {
            case FetchType::Unorm: {
                Value* const v = to_float(Op::U2F);
                if (bits == 32) return b_.fmul(v, b_.f32(0x1p-32f));
                return b_.fdiv(v, b_.f32(float((1u << bits) - 1)));
            }
            case FetchType::Snorm: {
                Value* const v = to_float(Op::I2F);
                if (bits == 32) return b_.fmul(v, b_.f32(0x1p-31f));
                return b_.alu(Op::FMax, b_.fdiv(v, b_.f32(float((1u << (bits - 1)) - 1))), b_.f32(-1.0f));
            }
            case FetchType::Uint:
            case FetchType::Sint:
                return raw(a, c, word, shift);
            case FetchType::Uscaled:
                return to_float(Op::U2F);
            case FetchType::Sscaled:
                return to_float(Op::I2F);
            case FetchType::Fixed:
                return b_.fmul(to_float(Op::I2F), b_.f32(0x1p-16f));
            case FetchType::Float:
                if (bits == 32) return b_.convert(Op::Bitcast, Type::F32, word);
                return b_.convert(shift ? Op::UnpackHalfHigh : Op::UnpackHalfLow, Type::F32, word);
        }
        return b_.f32(0);
    }

    Shader& s_;
    const VertexFetchOptions& options_;
    Builder b_;
    std::array<uint8_t, kMaxFetchedAttributes> wanted_{};  // bit a component
    Value* words_[kMaxFetchedAttributes][4] = {};
    Value *vertex_ = nullptr, *instance_ = nullptr, *base_instance_ = nullptr;
};

}  // namespace

bool vertex_fetch(Shader& s, const VertexFetchOptions& options) {
    return Fetch(s, options).run();
}

}  // namespace terrazzo::ir

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The binary form's numbers, and the fields that writer and reader visit in the same order, since both use
// one list of fields.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

class BinaryWriter {
  public:
    explicit BinaryWriter(std::vector<uint8_t>& out) : out_(out) {}
    void number(uint64_t v) {
        for (; v >= 0x80; v >>= 7)
            out_.push_back(uint8_t(v | 0x80));
        out_.push_back(uint8_t(v));
    }
    void bytes(const void* p, size_t n) {
        const auto* b = static_cast<const uint8_t*>(p);
        out_.insert(out_.end(), b, b + n);
    }
    template <typename T>
    void field(const T& v, unsigned = 0) {
        if constexpr (std::is_signed_v<T>)
            number(uint64_t(int64_t(v)) << 1 ^ uint64_t(int64_t(v) >> 63));
        else
            number(uint64_t(v));
    }

  private:
    std::vector<uint8_t>& out_;
};

/// Reads untrusted bytes. After the first error all reads return 0, and ok() returns false.
class BinaryReader {
  public:
    explicit BinaryReader(std::span<const uint8_t> b) : at_(b.data()), end_(b.data() + b.size()) {}
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool at_end() const { return at_ == end_; }
    [[nodiscard]] size_t left_B() const { return size_t(end_ - at_); }
    uint64_t fail() {
        ok_ = false;
        at_ = end_;
        return 0;
    }
    uint64_t number() {
        if (at_ != end_ && *at_ < 0x80) return *at_++;
        uint64_t v = 0;
        for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
            const uint8_t b = *at_++;
            // A number has one encoding: nothing beyond 64 bits, no zeros on top.
            if (shift == 63 && b > 1) break;
            v |= uint64_t(b & 0x7f) << shift;
            if (b >= 0x80) continue;
            return b || !shift ? v : fail();
        }
        return fail();
    }
    [[nodiscard]] uint64_t number(uint64_t limit) {
        const uint64_t v = number();
        return v <= limit ? v : fail();
    }
    /// Reads a number of items that follow, each of at least one byte.
    [[nodiscard]] size_t count() { return size_t(number(left_B())); }
    [[nodiscard]] const uint8_t* bytes(size_t n) {
        if (n > left_B()) {
            fail();
            return nullptr;
        }
        at_ += n;
        return at_ - n;
    }
    /// `limit`: the largest value, where it is not the type's.
    template <typename T>
    void field(T& v, unsigned limit = 0) {
        if constexpr (std::is_same_v<T, bool>) {
            v = number(1) != 0;
        } else if constexpr (std::is_enum_v<T>) {
            v = T(number(limit));
        } else if constexpr (std::is_signed_v<T>) {
            const uint64_t z = number();
            const int64_t wide = int64_t(z >> 1) ^ -int64_t(z & 1);
            v = T(wide);
            if (int64_t(v) != wide) v = T(fail());
        } else {
            v = T(number(limit ? limit : std::numeric_limits<T>::max()));
        }
    }

  private:
    const uint8_t *at_, *end_;
    bool ok_ = true;
};

/// The version of the binary form. It changes with the operations; change `hash` by hand with this file and
/// binary.cpp.
inline constexpr uint32_t kBinaryForm = [] {
    uint32_t hash = 5;  // by hand
    const auto add = [&](std::string_view text, int operands, Sig sig) {
        for (const char c : text)
            hash = (hash ^ uint8_t(c)) * 16777619u;
        hash = (hash ^ uint32_t(operands + 1) ^ uint32_t(sig) << 8) * 16777619u;
    };
#define TZ_OP(name, text, operands, sig, flags) add(text, operands, Sig::sig);
#include "shaders/ir/ops.def"
#undef TZ_OP
    return hash;
}();

inline constexpr unsigned kLastType = unsigned(Type::F32);
inline constexpr unsigned kLastDim = unsigned(TexDim::D2MS);
inline constexpr unsigned kLastStorage = unsigned(Storage::UniformBlock);

template <class Stream, class Info>
void visit_info(Stream& s, Info& i) {
    s.field(i.inputs_read), s.field(i.outputs_written), s.field(i.sampler_count), s.field(i.uniform_dw);
    s.field(i.uses_discard), s.field(i.uses_derivatives), s.field(i.uses_front_facing);
    s.field(i.uses_point_coord), s.field(i.uses_frag_coord), s.field(i.reads_color), s.field(i.writes_depth);
    s.field(i.writes_memory), s.field(i.early_fragment_tests), s.field(i.uses_barriers);
    s.field(i.blend_equations);
    s.field(i.uniform_blocks_read), s.field(i.buffers_read), s.field(i.buffers_written);
    s.field(i.images_read), s.field(i.images_written), s.field(i.shared_B);
    for (auto& w : i.workgroup_size)
        s.field(w);
    auto& r = i.records;
    s.field(r.in, unsigned(Shape::Isolines)), s.field(r.out, unsigned(Shape::Triangles));
    s.field(r.spacing, unsigned(Spacing::FractionalOdd)), s.field(r.clockwise), s.field(r.vertices_in);
    s.field(r.vertices_out), s.field(r.invocations), s.field(r.slots_in), s.field(r.slots_out);
    s.field(r.patch_rows);
}

template <class Stream, class V>
void visit_var(Stream& s, V& v) {
    s.field(v.type, kLastType), s.field(v.count), s.field(v.storage, kLastStorage);
    s.field(v.precision, unsigned(Precision::High)), s.field(v.interp, unsigned(Interp::NoPerspective));
    s.field(v.interp_at, unsigned(InterpAt::Sample)), s.field(v.invariant);
    s.field(v.location), s.field(v.binding);
    s.field(v.dim, kLastDim), s.field(v.arrayed), s.field(v.shadow);
}

template <class Stream, class Io>
void visit_io(Stream& s, Io& io) {
    s.field(io.slot), s.field(io.component), s.field(io.count);
    s.field(io.interp, unsigned(Interp::NoPerspective)), s.field(io.interp_at, unsigned(InterpAt::Sample));
}

/// Without the variable.
template <class Stream, class Tex>
void visit_tex(Stream& s, Tex& t) {
    s.field(t.op, unsigned(TexOp::QueryLod)), s.field(t.dim, kLastDim), s.field(t.result, kLastType);
    s.field(t.arrayed), s.field(t.shadow), s.field(t.indexed), s.field(t.offset_operands);
    s.field(t.coord_count, 4), s.field(t.gather_component, 3);
    for (auto& o : t.offset)
        s.field(o);
    s.field(t.binding), s.field(t.count);
}

/// Without the variable.
template <class Stream, class Mem>
void visit_mem(Stream& s, Mem& m) {
    s.field(m.op, unsigned(MemOp::CompareExchange)), s.field(m.space, kLastStorage);
    s.field(m.qualifiers, mem_flag::kAll), s.field(m.words, 4), s.field(m.element_B, 4), s.field(m.indexed);
    s.field(m.binding), s.field(m.count), s.field(m.offset_B);
    s.field(m.dim, kLastDim), s.field(m.arrayed), s.field(m.format, unsigned(ImageFormat::R32ui));
    s.field(m.execution, unsigned(MemScope::Device)), s.field(m.memory, unsigned(MemScope::Device));
    s.field(m.memories, mem_space::kAll);
}

/// The kind of an operation's payload.
enum class Payload : uint8_t { None, Bits, Io, VarIo, Tex, Mem };
[[nodiscard]] constexpr Payload payload_of(Op op) {
    switch (op) {
        case Op::Const:
            return Payload::Bits;
        case Op::LoadVar:
        case Op::StoreVar:
        case Op::LoadVarAt:
            return Payload::VarIo;
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::StoreOutput:
        case Op::LoadUniform:
        case Op::LoadSysval:
            return Payload::Io;
        case Op::Tex:
            return Payload::Tex;
        default:
            return op >= Op::LoadBuffer && op <= Op::Barrier ? Payload::Mem : Payload::None;
    }
}
/// The number of results that the operation always has; -1: it varies, and is written.
[[nodiscard]] constexpr int implied_results(const OpInfo& info, Op op) {
    if (info.sig != Sig::Any || op == Op::Const || op == Op::Undef) return 1;
    return info.terminator() ? 0 : -1;
}
[[nodiscard]] constexpr unsigned region_count(Op op) {
    return op == Op::If ? 2 : op == Op::Loop ? 1 : 0;
}

}  // namespace terrazzo::ir

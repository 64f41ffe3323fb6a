// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One walk forwards, which rewrites operations in terms of the earliest equal values, and one backwards,
// which removes what is not needed. After the first, an operand that is a register is that register's value
// at the block's begin.
#include "drivers/common/core/optimise.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "drivers/common/core/hash.h"

namespace terrazzo::core {

namespace {

using Kind = Value::Kind;

Value constant(uint32_t bits) {
    return {Kind::Constant, bits};
}
bool is(const Value& v, uint32_t bits) {
    return v.kind == Kind::Constant && v.index == bits;
}
/// Operations whose result does not depend on the modes of the host's floats.
bool is_of_integers(MicroOp op) {
    return op <= MicroOp::LessUnsigned;
}

/// The result for operands that are constants.
uint32_t evaluate(MicroInstr i) {
    U32 row{};
    const uint16_t running = 1;
    i.to = {Kind::Register, 0};
    MicroBlock block;
    block.code.push_back(i);
    interpret(block, {&row, 1, 1, nullptr, &running});
    return row[0];
}

class Forwards {
  public:
    explicit Forwards(MicroBlock* block)
        : block_(*block), now_(block->temporaries), writer_(block->temporaries) {}

    void run() {
        out_.reserve(block_.code.size() * 2);
        for (MicroInstr& i : block_.code) {
            for (Value& v : i.from)
                v = current(v);
            if (i.to.kind == Kind::Temporary)
                compute(i);
            else
                write(i);
        }
        block_.code = std::move(out_);
        block_.temporaries = uint32_t(now_.size());
    }

  private:
    /// Where the value is, if it is known elsewhere.
    Value current(const Value& v) const {
        if (v.kind == Kind::None) return constant(0);
        if (v.kind == Kind::Temporary && now_[v.index].kind != Kind::None) return now_[v.index];
        if (v.kind != Kind::Register) return v;
        const auto written = rows_.find(v.index);
        return written == rows_.end() ? v : written->second;
    }
    const MicroInstr* writer(const Value& v) const {
        return v.kind == Kind::Temporary && writer_[v.index] ? &out_[*writer_[v.index]] : nullptr;
    }

    /// The temporary's operation, or nothing where its value is known.
    void compute(MicroInstr i) {
        if (i.op == MicroOp::Insert) split_insert(&i);
        for (unsigned steps = 0; steps < kMostSteps && simplify(&i); ++steps) {
        }
        // A copy of a register stays: the register may be written while the temporary is still read.
        if (i.op == MicroOp::Copy && i.from[0].kind != Kind::Register) {
            now_[i.to.index] = i.from[0];
            return;
        }
        const uint64_t hash = mix_hash(0, i);
        for (auto [at, end] = known_.equal_range(hash); at != end; ++at) {
            MicroInstr other = out_[at->second];
            other.to = i.to;
            if (!(other == i)) continue;
            now_[i.to.index] = out_[at->second].to;
            return;
        }
        known_.emplace(hash, out_.size());
        writer_[i.to.index] = out_.size();
        out_.push_back(i);
    }

    void write(const MicroInstr& i) {
        Value v = i.from[0];
        if (i.op == MicroOp::Copy && v == i.to) return;  // as at the block's begin: it was not written
        if (i.op != MicroOp::Copy || v.kind == Kind::Register) {
            // Later reads of the register read this temporary.
            v = add_temporary(i);
        }
        const auto [at, is_first] = rows_.try_emplace(i.to.index, v);
        if (!is_first && at->second == v) return;
        at->second = v;
        MicroInstr copy;
        copy.to = i.to;
        copy.from[0] = v;
        out_.push_back(copy);
    }

    Value add_temporary(MicroInstr i) {
        const Value v = i.to = {Kind::Temporary, uint32_t(now_.size())};
        now_.emplace_back();
        writer_.emplace_back();
        compute(i);
        return current(v);
    }
    void split_insert(MicroInstr* i);
    /// One step. False: there is none.
    bool simplify(MicroInstr* i) const;
    bool simplify_extract(MicroInstr* i) const;
    bool simplify_insert(MicroInstr* i) const;
    bool simplify_half(MicroInstr* i) const;
    /// Whether the bits from `bits` on are 0.
    bool is_below(const Value& v, unsigned bits) const;

    /// Of one operation: chains of insertions are as long as a program.
    static constexpr unsigned kMostSteps = 8;

    MicroBlock& block_;
    std::vector<MicroInstr> out_;
    std::vector<Value> now_;                           // of temporaries: None, or where the value is
    std::vector<std::optional<size_t>> writer_;        // of temporaries: an index of out_
    std::unordered_map<uint32_t, Value> rows_;         // what was written to registers
    std::unordered_multimap<uint64_t, size_t> known_;  // operations of out_ that compute temporaries
};

bool become_copy(MicroInstr* i, Value v) {
    const Value to = i->to;
    *i = MicroInstr();
    i->to = to;
    i->from[0] = v;
    return true;
}
bool read(Value* operand, Value v) {
    *operand = v;
    return true;
}

bool Forwards::is_below(const Value& v, unsigned bits) const {
    if (v.kind == Kind::Constant) return bits >= 32 || v.index >> bits == 0;
    const MicroInstr* const w = writer(v);
    if (!w) return false;
    return (w->op == MicroOp::FloatToHalf && bits >= 16) ||
           (w->op == MicroOp::ExtractUnsigned && w->imm.bits <= bits);
}

bool Forwards::simplify_extract(MicroInstr* i) const {
    const unsigned first = i->imm.first, end = first + i->imm.bits;
    const Value v = i->from[0];
    if (first == end) return become_copy(i, constant(0));
    if (first == 0 && end == 32) return become_copy(i, v);
    if (i->op == MicroOp::ExtractUnsigned && first == 0 && is_below(v, end)) return become_copy(i, v);
    const MicroInstr* const w = writer(v);
    if (!w || w->op != MicroOp::Insert) return false;
    const unsigned inner = w->imm.first, inner_end = inner + w->imm.bits;
    if (first >= inner_end || end <= inner) return read(&i->from[0], w->from[0]);
    if (first < inner || end > inner_end) return false;
    i->imm.first = uint8_t(first - inner);
    return read(&i->from[0], w->from[1]);
}

/// Two fields that make up the whole word: what they were inserted into does not matter, and is often the
/// register's old value.
void Forwards::split_insert(MicroInstr* i) {
    const MicroInstr* const w = writer(i->from[0]);
    if (!w || w->op != MicroOp::Insert || w->from[0].kind == Kind::Constant) return;
    const bool below = w->imm.first == 0 && i->imm.first + i->imm.bits == 32 && w->imm.bits >= i->imm.first;
    const bool above = i->imm.first == 0 && w->imm.first + w->imm.bits == 32 && i->imm.bits >= w->imm.first;
    if (!below && !above) return;
    MicroInstr alone = *w;
    alone.from[0] = constant(0);
    i->from[0] = add_temporary(alone);
}

bool Forwards::simplify_insert(MicroInstr* i) const {
    const unsigned first = i->imm.first, bits = i->imm.bits;
    if (bits == 0) return become_copy(i, i->from[0]);
    if (bits == 32) return become_copy(i, i->from[1]);
    if (first == 0 && is(i->from[0], 0) && is_below(i->from[1], bits)) return become_copy(i, i->from[1]);
    if (const MicroInstr* const w = writer(i->from[1]))
        if ((w->op == MicroOp::ExtractUnsigned || w->op == MicroOp::ExtractSigned) && w->imm.first == 0 &&
            w->imm.bits >= bits)
            return read(&i->from[1], w->from[0]);
    if (const MicroInstr* const w = writer(i->from[0]))
        if (w->op == MicroOp::Insert && w->imm.first >= first && w->imm.first + w->imm.bits <= first + bits)
            return read(&i->from[0], w->from[0]);
    return false;
}

/// HalfToFloat: only the low 16 bits matter.
bool Forwards::simplify_half(MicroInstr* i) const {
    const MicroInstr* const w = writer(i->from[0]);
    if (!w) return false;
    const bool extracts = w->op == MicroOp::ExtractUnsigned || w->op == MicroOp::ExtractSigned;
    if (extracts && w->imm.first == 0 && w->imm.bits >= 16) return read(&i->from[0], w->from[0]);
    if (w->op != MicroOp::Insert) return false;
    if (w->imm.first >= 16) return read(&i->from[0], w->from[0]);
    if (w->imm.first == 0 && w->imm.bits >= 16) return read(&i->from[0], w->from[1]);
    return false;
}

bool Forwards::simplify(MicroInstr* i) const {
    const Value a = i->from[0], b = i->from[1], c = i->from[2];
    if (i->op == MicroOp::Copy) return false;
    if (is_of_integers(i->op) && a.kind == Kind::Constant && b.kind == Kind::Constant &&
        c.kind == Kind::Constant)
        return become_copy(i, constant(evaluate(*i)));
    switch (i->op) {
        case MicroOp::Select:
            if (a.kind == Kind::Constant) return become_copy(i, a.index ? b : c);
            return b == c && become_copy(i, b);
        case MicroOp::And:
            return (is(b, ~0u) && become_copy(i, a)) || (is(a, ~0u) && become_copy(i, b));
        case MicroOp::Or:
        case MicroOp::Xor:
        case MicroOp::Add:
            return (is(b, 0) && become_copy(i, a)) || (is(a, 0) && become_copy(i, b));
        case MicroOp::Sub:
        case MicroOp::ShiftLeft:
        case MicroOp::ShiftRight:
        case MicroOp::ShiftRightSigned:
            return is(b, 0) && become_copy(i, a);
        case MicroOp::ExtractUnsigned:
        case MicroOp::ExtractSigned:
            return simplify_extract(i);
        case MicroOp::Insert:
            return simplify_insert(i);
        case MicroOp::HalfToFloat:
            return simplify_half(i);
        case MicroOp::Copy:
        case MicroOp::Not:
        case MicroOp::CountBits:
        case MicroOp::LeadingZeros:
        case MicroOp::ReverseBits:
        case MicroOp::Mul:
        case MicroOp::MinSigned:
        case MicroOp::MaxSigned:
        case MicroOp::MinUnsigned:
        case MicroOp::MaxUnsigned:
        case MicroOp::Equal:
        case MicroOp::NotEqual:
        case MicroOp::LessSigned:
        case MicroOp::LessUnsigned:
        case MicroOp::FloatEqual:
        case MicroOp::FloatNotEqual:
        case MicroOp::FloatLess:
        case MicroOp::FloatLessEqual:
        case MicroOp::FloatAdd:
        case MicroOp::FloatMul:
        case MicroOp::FloatFma:
        case MicroOp::FloatMin:
        case MicroOp::FloatMax:
        case MicroOp::FloatRound:
        case MicroOp::FloatClamp:
        case MicroOp::FloatToHalf:
        case MicroOp::SignedToFloat:
        case MicroOp::UnsignedToFloat:
        case MicroOp::FloatToSigned:
        case MicroOp::FloatToUnsigned:
        case MicroOp::Kernel:
            return false;
    }
    return false;
}

/// All reads of a register are of its value at the block's begin, so of its writes only the last one counts.
/// It stays where it is, which frees the host's vector register early, unless a later operation reads the
/// register: then it comes after everything else.
void remove_unused(MicroBlock* block) {
    std::vector<bool> is_read(block->temporaries);
    std::unordered_set<uint32_t> written, read_later;
    std::vector<MicroInstr> kept, writes;
    for (size_t n = block->code.size(); n-- > 0;) {
        const MicroInstr& i = block->code[n];
        const bool is_write = i.to.kind == Kind::Register;
        if (is_write ? !written.insert(i.to.index).second : !is_read[i.to.index]) continue;
        for (const Value& v : i.from) {
            if (v.kind == Kind::Temporary) is_read[v.index] = true;
            if (v.kind == Kind::Register) read_later.insert(v.index);
        }
        (is_write && read_later.contains(i.to.index) ? writes : kept).push_back(i);
    }
    block->code.assign(kept.rbegin(), kept.rend());
    block->code.insert(block->code.end(), writes.rbegin(), writes.rend());
}

/// Without gaps: the interpreter has room for each.
void renumber(MicroBlock* block) {
    std::vector<uint32_t> number(block->temporaries);
    block->temporaries = 0;
    for (MicroInstr& i : block->code) {
        for (Value& v : i.from)
            if (v.kind == Kind::Temporary) v.index = number[v.index];
        if (i.to.kind != Kind::Temporary) continue;
        number[i.to.index] = block->temporaries;
        i.to.index = block->temporaries++;
    }
}

}  // namespace

void optimise(MicroBlock* block) {
    Forwards(block).run();
    remove_unused(block);
    renumber(block);
}

}  // namespace terrazzo::core

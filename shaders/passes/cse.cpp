// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/cse.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool mergeable(const Instr& i) {
    if (i.region_count || i.info().terminator() || !i.result_count || i.op == Op::Undef) return false;
    switch (i.op) {
        case Op::Tex:
        case Op::FDdx:
        case Op::FDdy:
        case Op::FDdxFine:
        case Op::FDdyFine:
            return true;
        default:
            return i.info().pure() || is_invariant_load(i);
    }
}

/// fmin and fmax return the first of two zeros: their operands are not quite interchangeable.
bool commutes(Op op) {
    return op_info(op).commutative() && op != Op::FMin && op != Op::FMax;
}

/// Appends words that are equal for two instructions if and only if both compute the same. One of them may
/// permit less precision.
void append_key(const Instr& i, std::vector<uint64_t>& k) {
    const auto flags = uint64_t(i.flags & ~instr_flag::kMediump);
    k.push_back(uint64_t(i.op) | flags << 8 | uint64_t(i.operand_count) << 16);
    for (unsigned n = 0; n < i.result_count; n++)
        k.push_back(uint64_t(i.result(n)->type));
    for (unsigned n = 0; n < i.operand_count; n++)
        k.push_back(i.operand(n)->id);
    if (commutes(i.op)) std::sort(k.end() - i.operand_count, k.end() - i.operand_count + 2);
    switch (i.op) {
        case Op::Const:
            k.push_back(i.u.bits);
            break;
        case Op::LoadVar:
            k.push_back(i.var->id);
            k.push_back(i.u.io.component);
            break;
        case Op::LoadVarAt:
            k.push_back(i.var->id);
            k.push_back(uint64_t(i.u.io.component) | uint64_t(i.u.io.interp_at) << 32);
            break;
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::LoadUniform:
        case Op::LoadSysval:
            k.push_back(uint64_t(i.u.io.slot) | uint64_t(i.u.io.component) << 32);
            k.push_back(uint64_t(i.u.io.count) | uint64_t(i.u.io.interp) << 32 |
                        uint64_t(i.u.io.interp_at) << 40);
            break;
        case Op::Tex: {
            const TexInfo& t = *i.u.tex;
            k.push_back(uint64_t(t.op) | uint64_t(t.dim) << 8 | uint64_t(t.arrayed) << 16 |
                        uint64_t(t.shadow) << 17 | uint64_t(t.indexed) << 18 | uint64_t(t.coord_count) << 24 |
                        uint64_t(t.gather_component) << 32 | uint64_t(uint8_t(t.offset[0])) << 40 |
                        uint64_t(uint8_t(t.offset[1])) << 48 | uint64_t(uint8_t(t.offset[2])) << 56);
            k.push_back(uint64_t(uint32_t(t.binding)) | (t.var ? uint64_t(t.var->id + 1) << 32 : 0));
            if (t.indexed) k.push_back(t.count);
            break;
        }
        case Op::LoadBuffer:
        case Op::BufferSize: {
            const MemInfo& m = *i.u.mem;
            k.push_back(uint64_t(m.space) | uint64_t(m.words) << 8 | uint64_t(m.indexed) << 16 |
                        uint64_t(m.qualifiers) << 24 | uint64_t(m.offset_B) << 32);
            k.push_back(uint64_t(uint32_t(m.binding)) | uint64_t(m.count) << 32);
            k.push_back(m.var ? m.var->id + 1 : 0);
            break;
        }
        default:
            break;
    }
}

/// Instructions by their keys. The last one inserted is the first one removed.
class Table {
  public:
    explicit Table(size_t size) : heads_(std::bit_ceil(size + 1), kNone) {}
    /// An instruction that computes the same. Null: there is none, and this one is inserted.
    Instr* find_or_add(Instr* i) {
        const size_t begin = words_.size();
        append_key(*i, words_);
        const auto count = uint32_t(words_.size() - begin);
        const uint64_t hash = hash_of(&words_[begin], count);
        uint32_t& head = heads_[size_t(hash) & (heads_.size() - 1)];
        for (uint32_t n = head; n != kNone; n = entries_[n].next) {
            const Entry& e = entries_[n];
            if (e.hash != hash || e.count != count ||
                !std::equal(&words_[e.begin], &words_[e.begin] + count, &words_[begin]))
                continue;
            words_.resize(begin);
            return e.instr;
        }
        entries_.push_back({i, hash, begin, count, head});
        head = uint32_t(entries_.size() - 1);
        return nullptr;
    }
    [[nodiscard]] size_t size() const { return entries_.size(); }
    void shrink(size_t size) {
        for (; entries_.size() > size; entries_.pop_back()) {
            const Entry& e = entries_.back();
            heads_[size_t(e.hash) & (heads_.size() - 1)] = e.next;
            words_.resize(e.begin);
        }
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    struct Entry {
        Instr* instr;
        uint64_t hash;
        size_t begin;  // of its key in words_
        uint32_t count, next;
    };
    static uint64_t hash_of(const uint64_t* k, uint32_t count) {
        uint64_t h = 0x9e3779b97f4a7c15ull;
        for (uint32_t n = 0; n < count; n++) {
            h = (h ^ k[n]) * 0xff51afd7ed558ccdull;
            h ^= h >> 32;
        }
        return h;
    }
    std::vector<uint32_t> heads_;
    std::vector<Entry> entries_;
    std::vector<uint64_t> words_;
};

class Cse {
  public:
    explicit Cse(Shader& s) : s_(s), seen_(s.value_count()) {}
    bool run() {
        hoist_constants();
        region(s_.body);
        return changed_;
    }

  private:
    void hoist_constants();
    void region(Region* r);

    Shader& s_;
    Table seen_;
    bool changed_ = false;
};

void Cse::hoist_constants() {
    // After the constants that already stand at the top.
    Instr* end = s_.body->first;
    while (end && end->op == Op::Const)
        end = end->next;
    if (!end) return;
    bool at_top = true;
    for_each(s_.body, [&](Instr* i) {
        at_top &= i != end;
        if (i->op != Op::Const || at_top) return;
        detach(i);
        insert_before(end, i);
        changed_ = true;
    });
}

void Cse::region(Region* r) {
    const size_t before = seen_.size();
    for (Instr *i = r->first, *next; i; i = next) {
        next = i->next;
        if (mergeable(*i)) {
            if (Instr* same = seen_.find_or_add(i)) {
                if (!(i->flags & instr_flag::kMediump)) same->flags &= uint8_t(~instr_flag::kMediump);
                for (unsigned n = 0; n < i->result_count; n++)
                    replace_uses(i->result(n), same->result(n));
                erase(i);
                changed_ = true;
            }
            continue;
        }
        for (unsigned n = 0; n < i->region_count; n++)
            region(i->regions[n]);
    }
    seen_.shrink(before);
}

}  // namespace

bool cse(Shader& s) {
    return Cse(s).run();
}

}  // namespace terrazzo::ir

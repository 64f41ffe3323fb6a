// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/cse.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// All that makes two instructions compute the same, as words.
using Key = std::vector<uint64_t>;

struct KeyHash {
    size_t operator()(const Key& k) const {
        uint64_t h = 0x9e3779b97f4a7c15ull;
        for (uint64_t w : k) {
            h = (h ^ w) * 0xff51afd7ed558ccdull;
            h ^= h >> 32;
        }
        return size_t(h);
    }
};

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

/// fmin and fmax give the first of two zeros: their operands are not quite interchangeable.
bool commutes(Op op) {
    return op_info(op).commutative() && op != Op::FMin && op != Op::FMax;
}

Key key_of(const Instr& i) {
    Key k = {uint64_t(i.op) | uint64_t(i.flags) << 8 | uint64_t(i.operand_count) << 16};
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
        case Op::LoadInput:
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
            break;
        }
        default:
            break;
    }
    return k;
}

class Cse {
  public:
    explicit Cse(Shader& s) : s_(s) {}
    bool run() {
        hoist_constants();
        region(s_.body);
        return changed_;
    }

  private:
    void hoist_constants();
    void region(Region* r);

    Shader& s_;
    std::unordered_map<Key, Instr*, KeyHash> seen_;
    bool changed_ = false;
};

void Cse::hoist_constants() {
    // Behind the constants that already stand at the top.
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
    std::vector<const Key*> added;
    for (Instr *i = r->first, *next; i; i = next) {
        next = i->next;
        if (mergeable(*i)) {
            const auto [it, is_new] = seen_.try_emplace(key_of(*i), i);
            if (is_new) {
                added.push_back(&it->first);
            } else {
                for (unsigned n = 0; n < i->result_count; n++)
                    replace_uses(i->result(n), it->second->result(n));
                erase(i);
                changed_ = true;
            }
            continue;
        }
        for (unsigned n = 0; n < i->region_count; n++)
            region(i->regions[n]);
    }
    for (const Key* k : added)
        seen_.erase(seen_.find(*k));
}

}  // namespace

bool cse(Shader& s) {
    return Cse(s).run();
}

}  // namespace terrazzo::ir

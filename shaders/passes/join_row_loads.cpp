// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/join_row_loads.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "shaders/ir/builder.h"

namespace terrazzo::ir {

namespace {

class RowJoiner {
  public:
    RowJoiner(Shader& s, const std::function<bool(const MemInfo&)>& may_join) : s_(s), may_join_(may_join) {}
    /// Returns whether it joined any.
    bool run(Region* r) {
        std::map<Row, std::vector<Instr*>> rows;
        for (Instr* i = r->first; i; i = i->next)
            if (is_row_load(*i)) rows[row_of(*i)].push_back(i);
        // By its first load, since a load's address may be another load that is joined.
        std::unordered_map<const Instr*, std::vector<Instr*>> joinable;
        for (auto& [row, loads] : rows)
            if (loads.size() > 1) joinable.emplace(loads[0], std::move(loads));
        for (Instr *i = r->first, *next; i; i = next) {
            next = i->next;
            for (unsigned n = 0; n < i->region_count; ++n)
                changed_ |= run(i->regions[n]);
            const auto found = joinable.find(i);
            if (found == joinable.end()) continue;
            const std::vector<Instr*>& same = found->second;
            uint32_t first = i->u.mem->offset_B, end = first;
            for (const Instr* const k : same) {
                first = std::min(first, k->u.mem->offset_B);
                end = std::max(end, k->u.mem->offset_B + 4);
            }
            next = join(same, first, (end - first) / 4);
            changed_ = true;
        }
        return changed_;
    }

  private:
    static constexpr uint32_t kRow_B = 16;
    /// The base address, the binding and the number of a row that is loaded.
    using Row = std::tuple<const Value*, uint32_t, uint32_t>;
    [[nodiscard]] static Row row_of(const Instr& i) {
        return {i.operand(0), i.u.mem->binding, i.u.mem->offset_B / kRow_B};
    }

    [[nodiscard]] bool is_row_load(const Instr& i) const {
        return i.op == Op::LoadBuffer && i.u.mem->space == Storage::UniformBlock && i.u.mem->words == 1 &&
               i.operand_count == 1 && may_join_(*i.u.mem);
    }
    /// Replaces the loads by one. Returns the instruction that follows it.
    Instr* join(const std::vector<Instr*>& loads, uint32_t first_B, uint32_t words) {
        std::array<Type, 4> types;
        types.fill(Type::I32);
        for (const Instr* const i : loads)
            types[(i->u.mem->offset_B - first_B) / 4] = i->result()->type;
        Value* const place = loads[0]->operand(0);
        Instr* const all = s_.create(Op::LoadBuffer, std::span(&place, 1), std::span(types).first(words));
        all->u.mem = s_.create_mem(*loads[0]->u.mem);
        all->u.mem->offset_B = first_B;
        all->u.mem->words = uint8_t(words);
        insert_before(loads[0], all);
        for (Instr* const i : loads) {
            Value* v = all->result((i->u.mem->offset_B - first_B) / 4);
            if (v->type != i->result()->type) {
                b_.set_before(i);
                v = b_.convert(Op::Bitcast, i->result()->type, v);
            }
            replace_uses(i->result(), v);
            erase(i);
        }
        return all->next;
    }

    Shader& s_;
    const std::function<bool(const MemInfo&)>& may_join_;
    Builder b_{s_};
    bool changed_ = false;
};

}  // namespace

bool join_row_loads(Shader& s, const std::function<bool(const MemInfo&)>& may_join) {
    return RowJoiner(s, may_join).run(s.body);
}

}  // namespace terrazzo::ir

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/pack_varyings.h"

#include <algorithm>
#include <map>
#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

constexpr uint32_t kFirst = unsigned(VaryingSlot::Varying0);

/// slot * 4 + component, counted from Varying0.
using Place = uint32_t;

bool is_varying(const Instr& i, Op op) {
    if (i.u.io.slot >= kFirst + kMaxVaryings) return false;  // EmitSlot
    if (op == Op::LoadInput && i.op == Op::LoadInputAt) return i.u.io.slot >= kFirst;
    return i.op == op && i.u.io.slot >= kFirst && !(i.operand_count && op == Op::LoadInput);
}
Place place(const Instr& i) {
    return (i.u.io.slot - kFirst) * 4 + i.u.io.component;
}

void move(Instr* i, Place to) {
    i->u.io.slot = kFirst + to / 4;
    i->u.io.component = to % 4;
}

/// How a component is interpolated: the modes of all its reads, so that only equals share a slot.
using Mode = uint32_t;
Mode mode(const IoInfo& io) {
    return 1u << (unsigned(io.interp) * 3 + unsigned(io.interp_at));
}
constexpr Mode kFlat = 0b111 << (unsigned(Interp::Flat) * 3);

std::map<Place, Mode> modes_of_reads(Shader& consumer) {
    std::map<Place, Mode> read;
    for_each(consumer.body, [&](Instr* i) {
        if (is_varying(*i, Op::LoadInput)) read[place(*i)] |= mode(i->u.io);
    });
    return read;
}

/// The constant that defines a value, or null.
const Instr* constant_of(const Value* v) {
    return v && v->def && v->def->op == Op::Const ? v->def : nullptr;
}

bool same_value(const Value* a, const Value* b) {
    const Instr *const x = constant_of(a), *const y = constant_of(b);
    return a == b || (x && y && a->type == b->type && x->u.bits == y->u.bits);
}

/// The value that all stores to a component store; null if they differ.
std::map<Place, const Value*> stored_values(Shader& producer) {
    std::map<Place, const Value*> stored;
    for_each(producer.body, [&](Instr* i) {
        if (!is_varying(*i, Op::StoreOutput)) return;
        const auto [known, first] = stored.emplace(place(*i), i->operand(0));
        if (!first && !(known->second && same_value(known->second, i->operand(0)))) known->second = nullptr;
    });
    return stored;
}

}  // namespace

bool forward_varyings(Shader& producer, Shader& consumer) {
    const std::map<Place, const Value*> stored = stored_values(producer);
    struct Read {
        Place place;
        Mode mode;
        const Value* value;
    };
    std::vector<Read> reads;
    std::map<Place, Place> first;  // of components that repeat another one
    for (const auto& [p, m] : modes_of_reads(consumer)) {
        const auto v = stored.find(p);
        if (v == stored.end() || !v->second) continue;
        const auto same = std::find_if(reads.begin(), reads.end(), [&, m = m](const Read& r) {
            return r.mode == m && same_value(r.value, v->second);
        });
        if (same != reads.end())
            first.emplace(p, same->place);
        else
            reads.push_back({p, m, v->second});
    }
    bool changed = false;
    for_each(consumer.body, [&](Instr* i) {
        if (!is_varying(*i, Op::LoadInput)) return;
        const auto value = stored.find(place(*i));
        if (value == stored.end()) return;
        if (const Instr* const c = constant_of(value->second)) {
            replace_uses(i->result(), Builder(consumer, i).constant(i->result()->type, c->u.bits));
            erase(i);
            changed = true;
        } else if (const auto other = first.find(place(*i)); other != first.end()) {
            move(i, other->second);
            changed = true;
        }
    });
    return changed;
}

uint32_t pack_varyings(Shader& producer, Shader& consumer, uint32_t* flat_slots,
                       std::span<VaryingPlace> captured) {
    std::map<Place, Mode> read = modes_of_reads(consumer);
    // Outputs that are only captured are not interpolated.
    for (const VaryingPlace& c : captured)
        if (c.slot >= kFirst) read.emplace((c.slot - kFirst) * 4 + c.component, 0);
    std::map<Place, bool> written;
    for_each(producer.body, [&](Instr* i) {
        if (!is_varying(*i, Op::StoreOutput)) return;
        if (read.contains(place(*i)))
            written[place(*i)] = true;
        else
            erase(i);
    });
    for_each(consumer.body, [&](Instr* i) {
        if (!is_varying(*i, Op::LoadInput) || written.contains(place(*i))) return;
        replace_uses(i->result(), Builder(consumer, i).constant(i->result()->type, 0));
        erase(i);
    });
    // Groups of equal interpolation, each in the order that the program declared.
    std::map<Mode, std::vector<Place>> groups;
    for (const auto& [p, m] : read)
        if (written.contains(p)) groups[m].push_back(p);
    std::map<Place, Place> target;
    uint32_t slots = 0, flat = 0;
    for (const auto& [m, places] : groups) {
        for (uint32_t n = 0; n < places.size(); n++)
            target[places[n]] = slots * 4 + n;
        const uint32_t used = uint32_t(places.size() + 3) / 4;
        for (uint32_t n = 0; n < used && (m & kFlat); n++)
            flat |= 1u << (slots + n);
        slots += used;
    }
    const auto move_all = [&](Shader& s, Op op) {
        for_each(s.body, [&](Instr* i) {
            if (is_varying(*i, op)) move(i, target[place(*i)]);
        });
    };
    move_all(producer, Op::StoreOutput);
    move_all(consumer, Op::LoadInput);
    for (VaryingPlace& c : captured) {
        if (c.slot < kFirst) continue;
        const Place to = target.at((c.slot - kFirst) * 4 + c.component);
        c = {kFirst + to / 4, to % 4};
    }
    if (flat_slots) *flat_slots = flat;
    return slots;
}

}  // namespace terrazzo::ir

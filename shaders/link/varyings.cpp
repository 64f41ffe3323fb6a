// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Varyings and fragment outputs: from variables to slots.
#include "shaders/link/linker.h"
#include "shaders/link/packing.h"

namespace terrazzo::shaders {

namespace {

using ir::Instr;
using ir::Op;

constexpr uint32_t kNoSlot = UINT32_MAX;

/// Where a variable's components go: rows of `width` components from (slot, column) on.
struct Target {
    uint32_t slot = kNoSlot;
    uint32_t column = 0;
    uint32_t width = 4;
};
using Targets = std::map<const ir::Var*, Target>;

void lower_inputs(ir::Shader& s, const Targets& targets) {
    each_instruction(s.body, [&](Instr* i) {
        if (i->op != Op::LoadVar || i->var->storage != ir::Storage::Input) return;
        const auto t = targets.find(i->var);
        ir::Builder b(s, i);
        b.line = i->line;
        ir::Value* v = nullptr;
        if (t == targets.end() || t->second.slot == kNoSlot) {
            v = b.constant(i->result()->type, 0);
        } else {
            const uint32_t c = i->u.io.component;
            v = b.load_input(i->result()->type, t->second.slot + c / t->second.width,
                             t->second.column + c % t->second.width, i->var->interp, i->var->interp_at);
            v->def->flags = i->flags;
        }
        ir::replace_uses(i->result(), v);
        ir::erase(i);
    });
}

void lower_outputs(ir::Shader& s, const Targets& targets) {
    each_instruction(s.body, [&](Instr* i) {
        if (i->op != Op::StoreVar || i->var->storage != ir::Storage::Output) return;
        const auto t = targets.find(i->var);
        if (t != targets.end() && t->second.slot != kNoSlot) {
            ir::Builder b(s, i);
            b.line = i->line;
            b.flags = i->flags;
            const uint32_t c = i->u.io.component;
            b.store_output(t->second.slot + c / t->second.width, t->second.column + c % t->second.width,
                           i->operand(0));
        }
        ir::erase(i);
    });
}

}  // namespace

void Linker::lower_varyings() {
    if (!source(Stage::Vertex) || !source(Stage::Fragment)) return;
    struct Varying {
        const InterfaceVar *in, *out;
        PackItem item;
    };
    std::vector<Varying> list;
    std::map<std::string_view, const InterfaceVar*> outputs;
    for (const InterfaceVar& o : source(Stage::Vertex)->outputs)
        outputs.emplace(o.name, &o);
    for (const InterfaceVar& in : source(Stage::Fragment)->inputs) {
        const auto out = outputs.find(in.name);
        if (!in.statically_used || !in.var || out == outputs.end()) continue;
        if (in.first_component) {
            error("Terrazzo: varying '" + in.name + "': arrays of structures are not supported");
            return;
        }
        list.push_back({&in, out->second, pack_shape(in.type, in.array_size)});
    }
    std::vector<PackItem> items;
    for (const Varying& v : list)
        items.push_back(v.item);
    if (!pack(items, uint32_t(options_.limits.varying_vectors))) {
        std::string names;
        for (const Varying& v : list)
            names += (names.empty() ? "" : ", ") + v.in->name;
        error("too many varyings: those that the fragment shader uses (" + names + ") do not fit in " +
              std::to_string(options_.limits.varying_vectors) + " vectors");
        return;
    }
    Targets reads, writes;
    for (size_t k = 0; k < list.size(); ++k) {
        const Target t{unsigned(ir::VaryingSlot::Varying0) + items[k].row, items[k].column,
                       list[k].in->type.rows};
        reads[var(Stage::Fragment, *list[k].in)] = t;
        writes[var(Stage::Vertex, *list[k].out)] = t;
    }
    for (const InterfaceVar& o : source(Stage::Vertex)->outputs) {
        if (!o.var) continue;
        if (o.name == "gl_Position")
            writes[var(Stage::Vertex, o)] = {unsigned(ir::VaryingSlot::Position), 0, 4};
        if (o.name == "gl_PointSize")
            writes[var(Stage::Vertex, o)] = {unsigned(ir::VaryingSlot::PointSize), 0, 4};
    }
    lower_inputs(shader(Stage::Fragment), reads);
    lower_outputs(shader(Stage::Vertex), writes);
}

void Linker::lower_fragment_outputs() {
    if (!source(Stage::Fragment)) return;
    Targets writes;
    uint32_t next = 0;
    const auto colour = [](uint32_t n) { return n <= unsigned(ir::FragSlot::Color7) ? n : kNoSlot; };
    for (const InterfaceVar& o : source(Stage::Fragment)->outputs) {
        if (!o.var) continue;
        Target t{0, 0, 4};
        if (o.name == "gl_FragDepth" || o.name == "gl_FragDepthEXT") {
            t.slot = unsigned(ir::FragSlot::Depth);
        } else if (o.name == "gl_SecondaryFragColorEXT" || o.name == "gl_SecondaryFragDataEXT") {
            t.slot = unsigned(ir::FragSlot::Second);
        } else if (o.name.compare(0, 3, "gl_") != 0) {
            // ESSL 3.00 4.3.8.2: with more than one output each must say its location.
            t.slot = colour(o.location >= 0 ? uint32_t(o.location) : next);
            t.width = o.type.rows;
            next = t.slot + std::max(1u, o.array_size);
        }
        if (t.slot == kNoSlot) {
            error("fragment output '" + o.name + "' has a location beyond the draw buffers");
            continue;
        }
        writes[var(Stage::Fragment, o)] = t;
    }
    lower_outputs(shader(Stage::Fragment), writes);
}

}  // namespace terrazzo::shaders

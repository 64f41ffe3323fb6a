// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Varyings and fragment outputs: from variables to slots.
#include <algorithm>

#include "shaders/link/linker.h"
#include "shaders/link/packing.h"

namespace terrazzo::shaders {

namespace {

using ir::Instr;
using ir::Op;

void lower_inputs(ir::Shader& s, const Targets& targets) {
    each_instruction(s.body, [&](Instr* i) {
        if ((i->op != Op::LoadVar && i->op != Op::LoadVarAt) || i->var->storage != ir::Storage::Input) return;
        const auto t = targets.find(i->var);
        ir::Builder b(s, i);
        b.line = i->line;
        ir::Value* v = nullptr;
        if (t == targets.end() || t->second.slot == kNoSlot) {
            v = b.constant(i->result()->type, 0);
        } else {
            const uint32_t c = i->u.io.component;
            const uint32_t slot = t->second.slot + c / t->second.width;
            const uint32_t column = t->second.column + c % t->second.width;
            if (i->op == Op::LoadVar || i->var->interp == ir::Interp::Flat) {
                v = b.load_input(i->result()->type, slot, column, i->var->interp, i->var->interp_at);
            } else {
                std::vector<ir::Value*> place;
                for (unsigned n = 0; n < i->operand_count; ++n)
                    place.push_back(i->operand(n));
                const ir::IoInfo io = {slot, column, 1, i->var->interp, i->u.io.interp_at};
                v = b.load_at(Op::LoadInputAt, nullptr, io, i->result()->type, place);
            }
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

/// Of the whole variable, where the line is an element's of an array of blocks.
PackItem shape_of(const InterfaceVar& v) {
    return pack_shape(v.type, v.var->count / v.type.components());
}

}  // namespace

/// Pairs of an input and its output; of a stage that is alone, all that it has.
std::vector<Linker::Varying> Linker::list_varyings() {
    std::vector<Varying> list;
    const bool alone = !source(Stage::Vertex) || !source(Stage::Fragment);
    std::map<std::string, const InterfaceVar*> outputs;
    const auto declared = [](const InterfaceVar& v) { return v.var && v.name.compare(0, 3, "gl_") != 0; };
    for (size_t n = 0; source(Stage::Vertex) && n < source(Stage::Vertex)->outputs.size(); ++n) {
        const InterfaceVar& o = source(Stage::Vertex)->outputs[n];
        outputs.emplace(varying_key(o), &o);
        if (alone && declared(o) && !o.first_component) list.push_back({nullptr, &o, shape_of(o)});
    }
    for (size_t n = 0; source(Stage::Fragment) && n < source(Stage::Fragment)->inputs.size(); ++n) {
        const InterfaceVar& in = source(Stage::Fragment)->inputs[n];
        const auto out = outputs.find(varying_key(in));
        // The first line of a variable stands for all of it: of an array of blocks each element has lines.
        if (!in.var || in.first_component || (!alone && (!in.statically_used || out == outputs.end())))
            continue;
        list.push_back({&in, alone ? nullptr : out->second, shape_of(in)});
    }
    return list;
}

void Linker::lower_varyings() {
    if (!source(Stage::Vertex) && !source(Stage::Fragment)) return;
    std::vector<Varying> list = list_varyings();
    if (failed_) return;
    for (const Capture& c : captures_) {
        const auto same = [&](const Varying& v) { return v.out && v.out->var == c.out->var; };
        if (!c.out || !c.out->var || c.out->name.compare(0, 3, "gl_") == 0 ||
            std::any_of(list.begin(), list.end(), same))
            continue;
        list.push_back({nullptr, c.out, shape_of(*c.out)});
    }
    std::vector<PackItem> items;
    for (const Varying& v : list)
        items.push_back(v.item);
    if (!pack(items, uint32_t(options_.limits.varying_vectors))) {
        std::string names;
        for (const Varying& v : list)
            names += (names.empty() ? "" : ", ") + v.any().name;
        error("too many varyings: those that the fragment shader uses " +
              std::string(captures_.empty() ? "" : "or that are captured ") + "(" + names +
              ") do not fit in " + std::to_string(options_.limits.varying_vectors) + " vectors");
        return;
    }
    Targets reads, writes;
    for (size_t k = 0; k < list.size(); ++k) {
        const Target t{unsigned(ir::VaryingSlot::Varying0) + items[k].row, items[k].column,
                       list[k].any().type.rows};
        if (list[k].in) reads[var(Stage::Fragment, *list[k].in)] = t;
        if (list[k].out) writes[var(Stage::Vertex, *list[k].out)] = t;
        // Of two stages, packing says it.
        if (!list[k].in || !list[k].out)
            program_->varying_slots = std::max(program_->varying_slots, items[k].row + items[k].rows);
    }
    if (source(Stage::Fragment)) lower_inputs(shader(Stage::Fragment), reads);
    if (!source(Stage::Vertex)) return;
    for (const InterfaceVar& o : source(Stage::Vertex)->outputs) {
        if (!o.var) continue;
        if (o.name == "gl_Position")
            writes[var(Stage::Vertex, o)] = {unsigned(ir::VaryingSlot::Position), 0, 4};
        if (o.name == "gl_PointSize")
            writes[var(Stage::Vertex, o)] = {unsigned(ir::VaryingSlot::PointSize), 0, 4};
    }
    lower_outputs(shader(Stage::Vertex), writes);
    place_captures(writes);
}

/// Where an output that the shader declares itself goes: what its layout says, else what the API has bound.
void Linker::place_fragment_output(const InterfaceVar& o, bool alone, uint64_t* taken) {
    const uint32_t buffers = uint32_t(options_.limits.draw_buffers);
    OutputInfo info{o.name,           o.type,     std::max(1u, o.array_size),
                    o.array_size > 0, o.location, std::max(o.index, 0)};
    for (const OutputBinding& b : options_.outputs) {
        if (b.name != o.name || o.location >= 0) continue;
        info.location = int(std::min(b.location, buffers));
        info.index = int(std::min(b.index, 2u));
    }
    if (info.location < 0 && !alone)
        return error("fragment output '" + o.name +
                     "' has no location; where a shader has more than one output each must have one");
    info.location = std::max(info.location, 0);
    if (info.index > 1 || uint64_t(info.location) + info.array_size > (info.index ? 1 : buffers))
        return error("fragment output '" + o.name + "' has a location beyond the draw buffers: there are " +
                     std::to_string(buffers) + ", and one that takes a second colour");
    const uint64_t mask = ((uint64_t(1) << info.array_size) - 1)
                          << (uint32_t(info.location) + 32 * uint32_t(info.index));
    if (*taken & mask)
        return error("fragment output '" + o.name + "' shares location " + std::to_string(info.location) +
                     " with another output");
    *taken |= mask;
    program_->outputs.push_back(std::move(info));
}

void Linker::lower_fragment_outputs() {
    if (!source(Stage::Fragment)) return;
    const auto declared = [](const InterfaceVar& o) { return o.var && o.name.compare(0, 3, "gl_") != 0; };
    const std::vector<InterfaceVar>& outputs = source(Stage::Fragment)->outputs;
    const bool alone = std::count_if(outputs.begin(), outputs.end(), declared) == 1;
    uint64_t taken = 0;
    Targets writes;
    for (const InterfaceVar& o : outputs) {
        if (!o.var) continue;
        Target t{0, 0, 4};
        if (o.name == "gl_FragDepth" || o.name == "gl_FragDepthEXT") {
            t.slot = unsigned(ir::FragSlot::Depth);
        } else if (o.name == "gl_SampleMask") {
            t.slot = unsigned(ir::FragSlot::SampleMask);
        } else if (o.name == "gl_SecondaryFragColorEXT" || o.name == "gl_SecondaryFragDataEXT") {
            t.slot = unsigned(ir::FragSlot::Second);
        } else if (declared(o)) {
            place_fragment_output(o, alone, &taken);
            if (failed_) return;
            const OutputInfo& placed = program_->outputs.back();
            t.slot = placed.index ? unsigned(ir::FragSlot::Second) : unsigned(placed.location);
            t.width = o.type.rows;
        }
        writes[var(Stage::Fragment, o)] = t;
    }
    lower_outputs(shader(Stage::Fragment), writes);
}

}  // namespace terrazzo::shaders

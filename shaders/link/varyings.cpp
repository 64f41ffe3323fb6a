// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Varyings and fragment outputs: from variables to slots.
#include <algorithm>
#include <set>

#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/validate_linked.h"
#include "shaders/link/linker.h"
#include "shaders/link/packing.h"
#include "shaders/link/stages.h"

namespace terrazzo::shaders {

namespace {

using ir::Instr;
using ir::Op;

/// Variables declared mediump or lowp may have 16 bits.
uint8_t precision_flag(const ir::Var& v) {
    const bool narrow = v.precision == ir::Precision::Medium || v.precision == ir::Precision::Low;
    return narrow && v.type == ir::Type::F32 ? ir::instr_flag::kMediump : 0;
}

void lower_inputs(ir::Shader& s, const Targets& targets) {
    each_instruction(s.body, [&](Instr* i) {
        if ((i->op != Op::LoadVar && i->op != Op::LoadVarAt) || i->var->storage != ir::Storage::Input) return;
        const auto t = targets.find(i->var);
        ir::Builder b(s, i);
        b.line = i->line;
        ir::Value* v = nullptr;
        if (t == targets.end() || !t->second.has(i->u.io.component)) {
            v = b.constant(i->result()->type, 0);
        } else {
            const uint32_t slot = t->second.slot_of(i->u.io.component);
            const uint32_t column = t->second.column_of(i->u.io.component);
            if (i->op == Op::LoadVar || i->var->interp == ir::Interp::Flat) {
                v = b.load_input(i->result()->type, slot, column, i->var->interp, i->var->interp_at);
            } else {
                std::vector<ir::Value*> place;
                for (unsigned n = 0; n < i->operand_count; ++n)
                    place.push_back(i->operand(n));
                const ir::IoInfo io = {slot, column, 1, i->var->interp, i->u.io.interp_at};
                v = b.load_at(Op::LoadInputAt, nullptr, io, i->result()->type, place);
            }
            v->def->flags = i->flags | precision_flag(*i->var);
        }
        ir::replace_uses(i->result(), v);
        ir::erase(i);
    });
}

void lower_outputs(ir::Shader& s, const Targets& targets) {
    each_instruction(s.body, [&](Instr* i) {
        if (i->op != Op::StoreVar || i->var->storage != ir::Storage::Output) return;
        const auto t = targets.find(i->var);
        if (const uint32_t c = i->u.io.component; t != targets.end() && t->second.has(c)) {
            ir::Builder b(s, i);
            b.line = i->line;
            b.flags = i->flags | precision_flag(*i->var);
            // The front end marks stores of values that are mediump themselves.
            const uint8_t known = i->var->name.starts_with("gl_") ? i->flags : b.flags;
            if (s.stage == ir::Stage::Fragment && known & ir::instr_flag::kMediump)
                b.flags |= ir::instr_flag::kRounded;
            b.store_output(t->second.slot_of(c), t->second.column_of(c), i->operand(0));
        }
        ir::erase(i);
    });
}

/// The shape of the whole variable, even if `v` is an element of an array of blocks.
PackItem shape_of(const InterfaceVar& v) {
    return pack_shape(v.type, v.var->count / v.type.components());
}

}  // namespace

/// Pairs of an input and its output. If there is no stage at the other end, all inputs or outputs of the one
/// stage. For a tessellation control stage, all outputs, since it may read them itself.
std::vector<Linker::Varying> Linker::list_varyings(MaybeStage from, MaybeStage to) {
    std::vector<Varying> list;
    const bool alone = !from || !to;
    const auto declared = [](const InterfaceVar& v) {
        return v.var && !v.first_component && v.name.compare(0, 3, "gl_") != 0;
    };
    std::map<std::string, const InterfaceVar*> outputs;
    std::set<const InterfaceVar*> paired;
    for (size_t n = 0; from && n < source(*from)->outputs.size(); ++n)
        outputs.emplace(varying_key(source(*from)->outputs[n]), &source(*from)->outputs[n]);
    for (size_t n = 0; to && n < source(*to)->inputs.size(); ++n) {
        const InterfaceVar& in = source(*to)->inputs[n];
        const auto out = outputs.find(varying_key(in));
        if (!declared(in) || (!alone && (!in.statically_used || out == outputs.end()))) continue;
        list.push_back({&in, alone ? nullptr : out->second, shape_of(in)});
        if (!alone) paired.insert(out->second);
    }
    for (size_t n = 0; from && n < source(*from)->outputs.size(); ++n) {
        const InterfaceVar& o = source(*from)->outputs[n];
        const bool kept = alone || (*from == Stage::TessControl && o.statically_used);
        if (kept && declared(o) && !paired.contains(&o)) list.push_back({nullptr, &o, shape_of(o)});
    }
    return list;
}

void Linker::add_captured(std::vector<Varying>& list) {
    for (const Capture& c : captures_) {
        const auto same = [&](const Varying& v) { return v.out && v.out->var == c.out->var; };
        if (!c.out || !c.out->var || c.out->name.compare(0, 3, "gl_") == 0 ||
            std::any_of(list.begin(), list.end(), same))
            continue;
        list.push_back({nullptr, c.out, shape_of(*c.out)});
    }
}

/// Assigns places to the patch's varyings, or to the others. False: the error was reported.
bool Linker::pack_varyings(std::vector<Varying>& list, bool patch, uint32_t limit) {
    std::vector<PackItem> items;
    std::string names;
    for (const Varying& v : list) {
        if (v.any().patch != patch) continue;
        items.push_back(v.item);
        names += (names.empty() ? "" : ", ") + v.any().name;
    }
    if (!pack(items, limit)) {
        error("too many varyings: those that the fragment shader uses " +
              std::string(captures_.empty() ? "" : "or that are captured ") + "(" + names +
              ") do not fit in " + std::to_string(limit) + " vectors");
        return false;
    }
    size_t next = 0;
    for (Varying& v : list)
        if (v.any().patch == patch) v.item = items[next++];
    return true;
}

namespace {

/// Adds built-in variables in records and in rows of a patch.
void add_builtins(const std::vector<InterfaceVar>& list, const std::vector<ir::Var*>& vars,
                  const DistanceSizes& distances, StageTargets& targets, uint64_t* slots) {
    using Slot = ir::VaryingSlot;
    static constexpr std::pair<const char*, Slot> kSlots[] = {{"gl_Position", Slot::Position},
                                                              {"gl_PointSize", Slot::PointSize},
                                                              {"gl_PrimitiveID", Slot::PrimitiveId},
                                                              {"gl_Layer", Slot::Layer},
                                                              {"gl_ViewportIndex", Slot::ViewportIndex}};
    for (const InterfaceVar& v : list) {
        if (!v.var) continue;
        for (const auto& [name, slot] : kSlots) {
            if (v.name != name) continue;
            targets.vertex[vars[v.var->id]] = {unsigned(slot), 0, 4};
            *slots |= uint64_t(1) << unsigned(slot);
        }
        if (v.name == "gl_ClipDistance")
            targets.vertex[vars[v.var->id]] = {unsigned(Slot::ClipDist0), 0, 4, 0, distances.clip};
        if (v.name == "gl_CullDistance")
            targets.vertex[vars[v.var->id]] = {unsigned(Slot::ClipDist0), 0, 4, distances.clip,
                                               distances.cull};
        if (v.name == "gl_TessLevelOuter") targets.patch[vars[v.var->id]] = {0, 0, 4};
        if (v.name == "gl_TessLevelInner") targets.patch[vars[v.var->id]] = {1, 0, 4};
    }
}

constexpr uint32_t kLevelRows = 2;

}  // namespace

void Linker::lower_interface(MaybeStage from, MaybeStage to) {
    std::vector<Varying> list = list_varyings(from, to);
    if (failed_) return;
    if (from && from == last_vertex_stage()) add_captured(list);
    const uint32_t patch_limit = uint32_t(options_.limits.patch_components) / 4;
    // gl_MaxVaryingComponents includes the distances.
    const uint32_t vectors = uint32_t(options_.limits.varying_vectors);
    const uint32_t of_distances = from ? distance_sizes(source(*from)->outputs).slots() : 0;
    if (failed_ || !pack_varyings(list, false, vectors - std::min(vectors, of_distances)) ||
        !pack_varyings(list, true, patch_limit))
        return;
    StageTargets reads, writes;
    uint64_t slots = 0;
    uint32_t patch_rows = kLevelRows;
    for (const Varying& v : list) {
        const bool patch = v.any().patch;
        const Target t{(patch ? kLevelRows : unsigned(ir::VaryingSlot::Varying0)) + v.item.row, v.item.column,
                       v.any().type.rows};
        if (v.in) (patch ? reads.patch : reads.vertex)[var(*to, *v.in)] = t;
        if (v.out) (patch ? writes.patch : writes.vertex)[var(*from, *v.out)] = t;
        if (patch) {
            patch_rows = std::max(patch_rows, t.slot + v.item.rows);
            continue;
        }
        slots |= ((uint64_t(1) << v.item.rows) - 1) << t.slot;
        // Between a fragment stage and the one before it, packing computes it.
        if (to != Stage::Fragment || !from)
            program_->varying_slots = std::max(program_->varying_slots, v.item.row + v.item.rows);
    }
    // The writing stage says which exist; both stages have them at the same places.
    const DistanceSizes distances = distance_sizes(from ? source(*from)->outputs : source(*to)->inputs);
    slots |= ir::distance_mask(distances.slots());
    program_->distance_slots = std::max(program_->distance_slots, uint8_t(distances.slots()));
    if (from && from == last_vertex_stage()) note_distances(*from, distances.clip, distances.cull);
    if (to) add_builtins(source(*to)->inputs, vars_[unsigned(*to)], distances, reads, &slots);
    if (from) add_builtins(source(*from)->outputs, vars_[unsigned(*from)], distances, writes, &slots);
    if (to) lower_consumer(*to, reads, slots, patch_rows);
    if (from) lower_producer(*from, writes, slots, patch_rows);
}

void Linker::lower_consumer(Stage s, const StageTargets& targets, uint64_t slots, uint32_t patch_rows) {
    if (s == Stage::Fragment) return lower_inputs(shader(s), targets.vertex);
    if (s == Stage::TessEval && source(Stage::TessControl))
        shader(s).info.records.vertices_in = source(Stage::TessControl)->ir->info.records.vertices_out;
    lower_kernel_inputs(shader(s), targets, slots, patch_rows);
}

void Linker::lower_producer(Stage s, const StageTargets& targets, uint64_t slots, uint32_t patch_rows) {
    if (s == Stage::TessControl) return lower_control_outputs(shader(s), targets, slots, patch_rows);
    Targets all = targets.vertex;
    for (ir::Var* const v : shader(s).vars())
        if (v->storage == ir::Storage::Output && v->name == ir::kEmitVar)
            all[v] = {unsigned(v->location), 0, 4};
    lower_outputs(shader(s), all);
    if (s == last_vertex_stage()) place_captures(all);
}

void Linker::lower_varyings() {
    const std::vector<Stage> stages = chain();
    if (stages.empty()) return;
    if (stages.front() != Stage::Vertex) lower_interface(std::nullopt, stages.front());
    for (size_t n = 1; n < stages.size() && !failed_; ++n)
        lower_interface(stages[n - 1], stages[n]);
    if (stages.back() != Stage::Fragment && !failed_) lower_interface(stages.back(), std::nullopt);
    for (const Stage s : stages)
        if (ir::is_kernel(s)) lower_kernel_sysvals(shader(s));
}

/// An output that the shader declares. Its location is that of its layout, else the one bound by the API, or
/// -1.
OutputInfo Linker::describe_output(const InterfaceVar& o) const {
    OutputInfo info{o.name,           o.type,     std::max(1u, o.array_size),
                    o.array_size > 0, o.location, std::max(o.index, 0)};
    for (const OutputBinding& b : options_.outputs) {
        if (b.name != o.name || o.location >= 0) continue;
        info.location = int(std::min(b.location, uint32_t(options_.limits.draw_buffers)));
        info.index = int(std::min(b.index, 2u));
    }
    return info;
}

/// `taken`: a bit per location, from bit 32 on those of index 1. An output without a location gets the first
/// free one.
void Linker::place_output(OutputInfo& info, uint64_t* taken) {
    const uint32_t buffers = uint32_t(options_.limits.draw_buffers);
    const auto mask_at = [&](int location) {
        return ((uint64_t(1) << info.array_size) - 1) << (uint32_t(location) + 32 * uint32_t(info.index));
    };
    if (info.location < 0 && info.array_size <= buffers)
        for (info.location = 0; *taken & mask_at(info.location);)
            ++info.location;
    if (info.index > 1 || info.location < 0 ||
        uint64_t(info.location) + info.array_size > (info.index ? 1 : buffers))
        return error("fragment output '" + info.name +
                     "' has a location beyond the draw buffers: there are " + std::to_string(buffers) +
                     ", and one that takes a second colour");
    if (*taken & mask_at(info.location))
        return error("fragment output '" + info.name + "' shares location " + std::to_string(info.location) +
                     " with another output");
    *taken |= mask_at(info.location);
}

/// ESSL 3.00 section 4.3.8.2 requires locations of all outputs if there is more than one.
/// EXT_blend_func_extended lets the linker choose; other drivers do so with and without the extension.
void Linker::place_outputs(const std::vector<const InterfaceVar*>& declared) {
    uint64_t taken = 0;
    std::vector<OutputInfo>& all = program_->outputs;
    for (const InterfaceVar* const o : declared)
        all.push_back(describe_output(*o));
    std::vector<OutputInfo*> order;
    for (OutputInfo& info : all)
        order.push_back(&info);
    std::stable_partition(order.begin(), order.end(), [](const OutputInfo* o) { return o->location >= 0; });
    for (OutputInfo* const info : order)
        if (!failed_) place_output(*info, &taken);
}

void Linker::lower_fragment_outputs() {
    if (!source(Stage::Fragment)) return;
    std::vector<const InterfaceVar*> declared;
    for (const InterfaceVar& o : source(Stage::Fragment)->outputs)
        if (o.var && o.name.compare(0, 3, "gl_") != 0) declared.push_back(&o);
    place_outputs(declared);
    if (failed_) return;
    Targets writes;
    for (size_t n = 0; n < declared.size(); ++n) {
        const OutputInfo& placed = program_->outputs[n];
        const unsigned slot = placed.index ? unsigned(ir::FragSlot::Second) : unsigned(placed.location);
        writes[var(Stage::Fragment, *declared[n])] = {slot, 0, declared[n]->type.rows};
    }
    for (const InterfaceVar& o : source(Stage::Fragment)->outputs) {
        if (!o.var || o.name.compare(0, 3, "gl_") != 0) continue;
        Target t{0, 0, 4};
        if (o.name == "gl_FragDepth" || o.name == "gl_FragDepthEXT") {
            t.slot = unsigned(ir::FragSlot::Depth);
        } else if (o.name == "gl_SampleMask") {
            t.slot = unsigned(ir::FragSlot::SampleMask);
        } else if (o.name == "gl_SecondaryFragColorEXT" || o.name == "gl_SecondaryFragDataEXT") {
            t.slot = unsigned(ir::FragSlot::Second);
        }
        writes[var(Stage::Fragment, o)] = t;
    }
    lower_outputs(shader(Stage::Fragment), writes);
}

}  // namespace terrazzo::shaders

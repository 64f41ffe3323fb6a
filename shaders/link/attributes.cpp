// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes: which are active, their locations (GLES 2.0.25 section 2.10.4: glBindAttribLocation
// first, then free ones; a matrix occupies one location per column), and their loads.
#include <algorithm>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

using ir::Instr;
using ir::Op;

uint64_t location_mask(uint32_t first, uint32_t count) {
    return ((uint64_t(1) << count) - 1) << first;
}

}  // namespace

void Linker::lower_attributes(const std::map<const ir::Var*, int>& location) {
    ir::Shader& s = shader(Stage::Vertex);
    std::map<const ir::Var*, uint32_t> rows;
    for (const InterfaceVar& v : source(Stage::Vertex)->inputs)
        if (v.var) rows[var(Stage::Vertex, v)] = v.type.rows;
    each_instruction(s.body, [&](Instr* i) {
        if (i->op != Op::LoadVar || i->var->storage != ir::Storage::Input) return;
        ir::Builder b(s, i);
        b.line = i->line;
        const uint32_t c = i->u.io.component, width = rows[i->var];
        ir::Value* v = b.load_input(i->result()->type, uint32_t(location.at(i->var)) + c / width, c % width);
        v->def->flags = i->flags;
        ir::replace_uses(i->result(), v);
        ir::erase(i);
    });
}

void Linker::assign_attributes() {
    if (!source(Stage::Vertex)) return;
    std::map<const ir::Var*, bool> read;
    // With several views, the lowered shader always loads the instance's number.
    const bool asks_instance = program_->views == 1 || views_.instance;
    bool vertex_id = false, instance_id = false;
    each_instruction(shader(Stage::Vertex).body, [&](Instr* i) {
        if (i->op == Op::LoadVar && i->var->storage == ir::Storage::Input) read[i->var] = true;
        if (i->op == Op::LoadSysval && ir::Sysval(i->u.io.slot) == ir::Sysval::VertexId) vertex_id = true;
        if (i->op == Op::LoadSysval && ir::Sysval(i->u.io.slot) == ir::Sysval::InstanceId)
            instance_id = asks_instance;
    });
    struct Attribute {
        const InterfaceVar* v;
        uint32_t size;
        int location;
    };
    std::vector<Attribute> list;
    // ESSL 1.00 allows aliasing if no path uses both. ESSL 3.00 forbids it for declarations, whether read or
    // not (OpenGL ES 3.0.6 section 2.12.5).
    const bool may_alias = source(Stage::Vertex)->version < 300;
    const uint32_t limit = uint32_t(options_.limits.vertex_attribs);
    uint64_t taken = 0, declared = 0;
    uint32_t total = 0;
    for (const InterfaceVar& v : source(Stage::Vertex)->inputs) {
        if (!v.var) continue;
        const bool active = read.contains(var(Stage::Vertex, v));
        Attribute a{&v, v.type.columns * std::max(1u, v.array_size), v.location};
        if (a.location < 0) {
            for (const AttributeBinding& b : options_.attributes)
                if (b.name == v.name) a.location = int(b.location);
        }
        if (active) {
            list.push_back(a);
            total += a.size;
        }
        if (a.location < 0) continue;
        if (uint32_t(a.location) + a.size > limit) {
            if (active)
                error("attribute '" + v.name + "' is bound to location " + std::to_string(a.location) +
                      " and takes " + std::to_string(a.size) + ", but there are " + std::to_string(limit) +
                      " locations");
            continue;
        }
        const uint64_t mask = location_mask(uint32_t(a.location), a.size);
        if ((declared & mask) && !may_alias)
            error("attribute '" + v.name + "' shares location " + std::to_string(a.location) +
                  " with another attribute");
        declared |= mask;
        if (active) taken |= mask;
    }
    if (failed_) return;
    // Matrices first: they need consecutive locations.
    std::vector<Attribute*> order;
    for (Attribute& a : list)
        order.push_back(&a);
    std::stable_sort(order.begin(), order.end(),
                     [](const Attribute* a, const Attribute* b) { return a->size > b->size; });
    for (Attribute* a : order) {
        if (a->location >= 0) continue;
        for (uint32_t at = 0; at + a->size <= limit && a->location < 0; ++at)
            if (!(taken & location_mask(at, a->size))) a->location = int(at);
        if (a->location < 0) {
            error("too many attributes: '" + a->v->name + "' needs " + std::to_string(a->size) + " of " +
                  std::to_string(limit) + " locations and they are taken (" + std::to_string(total) +
                  " are needed in all)");
            return;
        }
        taken |= location_mask(uint32_t(a->location), a->size);
    }
    std::map<const ir::Var*, int> location;
    for (const Attribute& a : list) {
        location[var(Stage::Vertex, *a.v)] = a.location;
        program_->attributes.push_back({a.v->name, a.v->type, std::max(1u, a.v->array_size), a.location});
    }
    GlslType integer;
    integer.base = BaseType::Int;
    if (vertex_id) program_->attributes.push_back({"gl_VertexID", integer, 1, -1});
    if (instance_id) program_->attributes.push_back({"gl_InstanceID", integer, 1, -1});
    if (views_.view) {
        GlslType natural;
        natural.base = BaseType::Uint;
        program_->attributes.push_back({ir::kViewVar, natural, 1, -1});
    }
    lower_attributes(location);
}

}  // namespace terrazzo::shaders

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inputs and outputs of geometry and tessellation stages. Those of a vertex or the patch have no local copy;
// accesses go to the original. Their Vars have the components of one vertex, and loads and stores have the
// vertex's number as the index (the linker makes records of them, link/stages.cpp). A geometry shader's
// outputs are locals that EmitVertex() stores.
#include <algorithm>

#include "shaders/glsl/walker.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {

bool is_output(const TQualifier& q) {
    return q.isPipeOutput();
}

/// The built-in variables that bind_stage_sysval() supports.
bool has_meaning(TBuiltInVariable v) {
    switch (v) {
        case EbvInvocationId:
        case EbvPatchVertices:
        case EbvTessCoord:
        case EbvPrimitiveId:
        case EbvLayer:
        case EbvTessLevelOuter:
        case EbvTessLevelInner:
            return true;
        default:
            return false;
    }
}

}  // namespace

/// Whether a variable is outside the invocation: one per vertex, or the patch's.
bool Walker::is_direct(const TQualifier& q) const {
    switch (sh_.stage) {
        case ir::Stage::Geometry:
            return !is_output(q);
        case ir::Stage::TessControl:
            return true;
        case ir::Stage::TessEval:
            return !is_output(q);
        case ir::Stage::Vertex:
        case ir::Stage::Fragment:
        case ir::Stage::Compute:
            break;
    }
    return false;
}

/// Declares a variable for which is_direct() is true.
void Walker::declare_stage_io(TIntermSymbol* s) {
    const TQualifier& q = s->getQualifier();
    const bool out = is_output(q), block = s->getBasicType() == EbtBlock;
    const std::string name = s->getName().c_str();
    // Built-in variables: only those with a meaning here are declared.
    if (name.compare(0, 3, "gl_") == 0 && has_meaning(q.builtIn)) return (void)binding(s);
    const bool per_vertex = !q.patch && s->getType().isArray();
    if (!q.patch && !per_vertex)
        return fail(s->getLoc().line, "'" + name + "' : inputs and outputs of every vertex are arrays");
    const Type* const t = per_vertex ? convert_type(TType(s->getType(), 0), s->getLoc().line) : type_of(s);
    if (failed_) return;
    const ir::Storage storage = out ? ir::Storage::Output : ir::Storage::Input;
    Object* const o = block ? declare_block_object(s, t, storage) : declare_object(s, t, storage);
    o->direct = true;
    o->per_vertex = per_vertex;
    BlockMembers members;
    InterfaceVar pattern = describe(s, t);
    if (block) {
        pattern.name = s->getType().getTypeName().c_str();
        members = describe_members(s, t);
    }
    const auto mark = [&](InterfaceVar& v) {
        v.per_vertex = per_vertex;
        v.patch = !per_vertex;
    };
    mark(pattern);
    std::for_each(members.patterns.begin(), members.patterns.end(), mark);
    list_leaves(out ? out_.outputs : out_.inputs, pattern, *o, members);
    if (members.naming == BlockMembers::Naming::BuiltIn)
        for (ir::Var* const v : o->vars)
            built_in_members_.emplace_back(v, v);
    Binding& b = bindings_[s->getId()];
    b.kind = Binding::Kind::Storage;
    b.object = o;
}

void Walker::bind_stage_sysval(TIntermSymbol* s, Binding& b) {
    const TQualifier& q = s->getQualifier();
    const TBuiltInVariable v = q.builtIn;
    const auto sysval = [&](ir::Sysval value) {
        list_builtin(out_.inputs, s, nullptr);
        b.kind = Binding::Kind::Sysval;
        b.sysval = value;
    };
    if (v == EbvInvocationId) return sysval(ir::Sysval::InvocationId);
    if (v == EbvPatchVertices) return sysval(ir::Sysval::PatchVertices);
    if (v == EbvTessCoord) return sysval(ir::Sysval::TessCoord);
    const bool levels = v == EbvTessLevelOuter || v == EbvTessLevelInner;
    if (levels) {
        Object* const o =
            declare_object(s, type_of(s), is_output(q) ? ir::Storage::Output : ir::Storage::Input);
        o->direct = true;
        InterfaceVar pattern = describe(s, o->type);
        pattern.patch = true;
        list_leaves(is_output(q) ? out_.outputs : out_.inputs, pattern, *o);
        b.kind = Binding::Kind::Storage;
        b.object = o;
        return;
    }
    if (is_output(q)) return bind_output(s, type_of(s));
    if (sh_.stage == ir::Stage::Fragment) {
        bind_input(s, type_of(s));
        for (ir::Var* var : sh_.vars())
            if (var->name == s->getName().c_str()) var->interp = ir::Interp::Flat;
        return;
    }
    sysval(ir::Sysval::PrimitiveId);
}

/// False: an object of all vertices is used without an index.
bool Walker::has_vertex(const Place& p) {
    if (p.object->per_vertex && !p.vertex)
        fail(int(b_.line), "Terrazzo: arrays of all vertices are not read or written as a whole");
    return !failed_;
}

Value* Walker::load_direct(const Place& p, ir::Var* v, uint32_t at, Value* dynamic) {
    if (!dynamic) return b_.load_var(v, at, p.vertex);
    Vals all;
    for (uint32_t c = at; c < v->count; ++c)
        all.push_back(b_.load_var(v, c, p.vertex));
    return pick(all, dynamic);
}

void Walker::store_direct(const Place& p, ir::Var* v, uint32_t at, Value* value, Value* dynamic) {
    if (!dynamic) return b_.store_var(v, at, value, p.vertex);
    for (uint32_t c = at; c < v->count; ++c)
        if_then(b_.alu(Op::IEq, dynamic, i32(int32_t(c - at))), [&] { b_.store_var(v, c, value, p.vertex); });
}

void Walker::begin_emitting() {
    const Type* const integer = types_.basic(Base::Int, 1, 1, ir::Precision::High);
    emitted_ = local("emitted", integer);
    strip_starts_ = local("strip_starts", integer);
    const auto output = [&](ir::EmitSlot slot) {
        ir::Var* const v = sh_.add_var(ir::kEmitVar, ir::Type::I32, 1, ir::Storage::Output);
        v->location = int(slot);
        return v;
    };
    emit_var_ = output(ir::EmitSlot::EmitVertex);
    strip_var_ = output(ir::EmitSlot::StripStart);
    count_var_ = output(ir::EmitSlot::VertexCount);
    b_.set_end(sh_.body);
    store(emitted_, {i32(0)});
    store(strip_starts_, {i32(1)});
}

/// Vertices beyond max_vertices are undefined: they are dropped.
void Walker::emit_vertex() {
    if (!emitted_) return;
    plain_flags();
    Value* const n = b_.load_var(emitted_->vars[0], 0);
    if_then(b_.alu(Op::ULt, n, i32(int32_t(sh_.info.records.vertices_out))), [&] {
        b_.store_var(emit_var_, 0, n);
        b_.store_var(strip_var_, 0, b_.load_var(strip_starts_->vars[0], 0));
        emits_.push_back(b_.region()->last);
        b_.store_var(strip_starts_->vars[0], 0, i32(0));
        b_.store_var(emitted_->vars[0], 0, b_.iadd(n, i32(1)));
    });
}

void Walker::end_primitive() {
    if (!emitted_) return;
    plain_flags();
    b_.store_var(strip_starts_->vars[0], 0, i32(1));
}

void Walker::finish_emitting() {
    plain_flags();
    b_.line = 0;
    b_.store_var(count_var_, 0, b_.load_var(emitted_->vars[0], 0));
    for (ir::Instr* const emit : emits_) {
        if (!count_moves(outputs_.size() * 4, 0)) return;
        b_.set_before(emit);
        for (const Shadow& s : outputs_)
            store_output(s);
    }
    b_.set_end(sh_.body);
}

}  // namespace terrazzo::shaders::glsl

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blocks of inputs and outputs (ESSL 3.20 section 4.3.9, EXT_shader_io_blocks), including gl_PerVertex. For
// the linker, each member is a separate variable, which matches by the block's name and its own.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {

/// Qualifiers of the block count for each member.
TQualifier member_qualifier(const TIntermSymbol* s, size_t member) {
    const TQualifier& block = s->getQualifier();
    TQualifier q = (*s->getType().getStruct())[member].type->getQualifier();
    q.flat |= block.flat;
    q.centroid |= block.centroid;
    q.sample |= block.sample;
    q.invariant |= block.invariant;
    return q;
}

bool is_built_in(const TIntermSymbol* s) {
    return s->getType().getTypeName().compare(0, 3, "gl_") == 0;
}

/// The block as text; equal if two stages' blocks match.
std::string block_declaration(const TIntermSymbol* s, const Type* t) {
    std::string text = "block " + std::string(s->getType().getTypeName().c_str()) + "{";
    const Type& block = element_type(t);
    for (size_t n = 0; n < block.members.size(); ++n) {
        const TQualifier q = member_qualifier(s, n);
        if (q.flat) text += "flat ";
        if (q.hasLocation()) text += "layout(location = " + std::to_string(q.layoutLocation) + ") ";
        text += declaration(*block.members[n].type) + " " + block.members[n].name + ";";
    }
    text += "}";
    for (const uint32_t d : t->dims)
        text += "[" + std::to_string(d) + "]";
    return text;
}

void add_accessed(const ir::Region* r, Op op, std::unordered_set<const ir::Var*>& vars) {
    for (const ir::Instr* i = r->first; i; i = i->next) {
        if (i->op == op) vars.insert(i->var);
        for (unsigned k = 0; k < i->region_count; ++k)
            add_accessed(i->regions[k], op, vars);
    }
}

}  // namespace

std::unordered_set<const ir::Var*> accessed_vars(const ir::Region* r, Op op) {
    std::unordered_set<const ir::Var*> vars;
    add_accessed(r, op, vars);
    return vars;
}

Object* Walker::declare_block_object(TIntermSymbol* s, const Type* t, ir::Storage storage) {
    Object& o = objects_.emplace_back();
    o.type = t;
    o.is_block = true;
    const Type& block = element_type(t);
    const std::string prefix = is_built_in(s) ? "" : s->getType().getTypeName().c_str();
    for (size_t n = 0; n < block.members.size(); ++n) {
        const Member& m = block.members[n];
        const TQualifier q = member_qualifier(s, n);
        for (size_t k = 0; k < m.type->leaves.size(); ++k) {
            const Leaf& l = t->leaves[m.first_leaf + k];
            o.vars.push_back(
                declare_leaf(prefix.empty() ? l.suffix.substr(1) : prefix + l.suffix, l, q, storage));
        }
    }
    return &o;
}

BlockMembers Walker::describe_members(TIntermSymbol* s, const Type* t) {
    using Naming = BlockMembers::Naming;
    BlockMembers out;
    out.naming = is_built_in(s)         ? Naming::BuiltIn
                 : has_instance_name(s) ? Naming::Instance
                                        : Naming::NoInstance;
    const std::string declared_type = block_declaration(s, t);
    const Type& block = element_type(t);
    for (size_t n = 0; n < block.members.size(); ++n) {
        InterfaceVar& v = out.patterns.emplace_back(describe(s, t));
        set_qualifiers(v, member_qualifier(s, n), block.members[n].name);
        v.declared_type = declared_type;
        v.implicit_size = (*s->getType().getStruct())[n].type->isUnsizedArray();
    }
    return out;
}

void Walker::declare_io_block(TIntermSymbol* s) {
    const Type* t = type_of(s);
    if (failed_) return;
    const bool output = s->getQualifier().storage == EvqVaryingOut;
    if (!output && s->getQualifier().storage != EvqVaryingIn)
        return fail(s->getLoc().line, "Terrazzo: this block is not supported");
    Object* o = declare_block_object(s, t, output ? ir::Storage::Output : ir::Storage::Input);
    // ESSL 3.20 section 4.3.4; glslang checks inputs that are not in blocks.
    if (sh_.stage == ir::Stage::Fragment && !output && !is_built_in(s))
        for (const ir::Var* v : o->vars)
            if (ir::is_int(v->type) && v->interp != ir::Interp::Flat)
                return fail(s->getLoc().line, "'" + v->name + "' : must be qualified as flat in");
    InterfaceVar pattern;
    pattern.name = s->getType().getTypeName().c_str();
    pattern.line = uint32_t(std::max(0, s->getLoc().line));
    list_leaves(output ? out_.outputs : out_.inputs, pattern, *o, describe_members(s, t));
    if (!output) return bind_input(s, o);
    Binding& b = bindings_[s->getId()];
    b.kind = Binding::Kind::Storage;
    b.object = local(s->getName().c_str(), t);
    outputs_.push_back({b.object, o, 0, true});
    if (!is_built_in(s)) return;
    for (size_t k = 0; k < o->vars.size(); ++k)
        built_in_members_.emplace_back(o->vars[k], b.object->vars[k]);
}

/// A built-in member counts as used if the shader writes it (of inputs: reads it), independently of the
/// block's other members.
void Walker::note_used_members() {
    if (built_in_members_.empty()) return;
    const auto loaded = accessed_vars(sh_.body, Op::LoadVar);
    for (const auto& [member, shadow] : built_in_members_) {
        for (InterfaceVar& v : out_.outputs)
            if (v.var == member) v.statically_used = stored_.contains(shadow);
        for (InterfaceVar& v : out_.inputs)
            if (v.var == member) v.statically_used = loaded.contains(shadow);
    }
}

}  // namespace terrazzo::shaders::glsl

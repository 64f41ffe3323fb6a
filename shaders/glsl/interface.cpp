// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes, varyings, uniforms, samplers and outputs: their Vars and the lists for the linker. An input
// array with dynamic indices is first copied to a local. Outputs are locals that are stored when main() ends,
// so that the shader's final stores have constant places.
#include <algorithm>
#include <unordered_set>

#include "shaders/glsl/leaf_lister.h"
#include "shaders/glsl/source.h"
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

static ir::ImageFormat image_format(const TQualifier& q) {
    using F = ir::ImageFormat;
    static constexpr std::pair<TLayoutFormat, F> kFormats[] = {
        {ElfRgba32f, F::Rgba32f},   {ElfRgba16f, F::Rgba16f},       {ElfR32f, F::R32f},
        {ElfRgba8, F::Rgba8},       {ElfRgba8Snorm, F::Rgba8Snorm}, {ElfRgba32i, F::Rgba32i},
        {ElfRgba16i, F::Rgba16i},   {ElfRgba8i, F::Rgba8i},         {ElfR32i, F::R32i},
        {ElfRgba32ui, F::Rgba32ui}, {ElfRgba16ui, F::Rgba16ui},     {ElfRgba8ui, F::Rgba8ui},
        {ElfR32ui, F::R32ui}};
    for (const auto& [layout, format] : kFormats)
        if (q.layoutFormat == layout) return format;
    return F::None;
}

static ir::Interp interp_of(const TQualifier& q) {
    return q.flat ? ir::Interp::Flat : q.isNonPerspective() ? ir::Interp::NoPerspective : ir::Interp::Smooth;
}

ir::Var* Walker::declare_leaf(const std::string& name, const Leaf& l, const TQualifier& q,
                              ir::Storage storage) {
    const Base base = l.basic->base;
    ir::Var* v = sh_.add_var(name, l.basic->scalar(), l.count,
                             base == Base::Sampler ? ir::Storage::Sampler
                             : base == Base::Image ? ir::Storage::Image
                                                   : storage);
    v->precision = l.basic->precision;
    v->invariant = q.invariant;
    v->interp = interp_of(q);
    v->interp_at = q.centroid     ? ir::InterpAt::Centroid
                   : q.isSample() ? ir::InterpAt::Sample
                                  : ir::InterpAt::Center;
    if (q.hasLocation()) v->location = int(q.layoutLocation);
    if (q.hasBinding()) v->binding = int(q.layoutBinding);
    v->dim = l.basic->dim;
    v->arrayed = l.basic->arrayed;
    v->shadow = l.basic->shadow;
    return v;
}

Object* Walker::declare_object(TIntermSymbol* s, const Type* t, ir::Storage storage) {
    Object& o = objects_.emplace_back();
    o.type = t;
    const TQualifier& q = s->getQualifier();
    o.format = image_format(q);
    o.qualifiers = memory_qualifiers(q);
    for (const Leaf& l : t->leaves)
        o.vars.push_back(declare_leaf(s->getName().c_str() + l.suffix, l, q, storage));
    return &o;
}

void Walker::set_qualifiers(InterfaceVar& v, const TQualifier& q, const std::string& name) {
    v.invariant =
        q.invariant || scan_.is_invariant(name) || (scan_.invariant_all() && sh_.stage == ir::Stage::Vertex);
    v.interp = interp_of(q);
    if (q.hasLocation()) v.location = int(q.layoutLocation);
    if (q.hasBinding()) v.binding = int(q.layoutBinding);
    if (q.hasIndex()) v.index = int(q.layoutIndex);
}

InterfaceVar Walker::describe(TIntermSymbol* s, const Type* t) {
    InterfaceVar v;
    const TQualifier& q = s->getQualifier();
    v.name = is_distance(s)                   ? distance_name(s)
             : s->getName() == kViewportIndex ? "gl_ViewportIndex"
                                              : s->getName().c_str();
    set_qualifiers(v, q, v.name);
    v.statically_used = scan_.use(s->getId()).used();
    v.line = uint32_t(std::max(0, s->getLoc().line));
    v.declared_type = declaration(*t);
    v.format = image_format(q);
    v.qualifiers = memory_qualifiers(q);
    return v;
}

namespace {
struct InterfaceLister : LeafLister<InterfaceLister> {
    std::vector<InterfaceVar>& list;
    InterfaceVar pattern;
    const Object& object;
    uint64_t& used_B;
    size_t most;
    uint64_t most_B;
    bool uniforms;
    const BlockMembers& block;
    uint32_t used_locations = 0;

    InterfaceLister(std::vector<InterfaceVar>& l, const InterfaceVar& p, const Object& o, uint64_t& used,
                    size_t lines, uint64_t bytes, bool of_uniforms, const BlockMembers& members)
        : list(l),
          pattern(p),
          object(o),
          used_B(used),
          most(lines),
          most_B(bytes),
          uniforms(of_uniforms),
          block(members) {}

    [[nodiscard]] bool full() const { return used_B > most_B || list.size() > most; }
    static uint32_t listed(const Type* t, uint32_t) { return t->dims[0]; }
    void begin_member(size_t index, bool top) {
        if (!top || block.patterns.empty()) return;
        pattern = block.patterns[index];
        used_locations = 0;
    }

    void add(const Type* t, const std::string& name, uint32_t leaf) {
        const Leaf& l = object.type->leaves[leaf];
        InterfaceVar v = pattern;
        v.name = name;
        name_member(v);
        used_B += v.name.size() + v.match_name.size() + v.declared_type.size();
        v.type = interface_type(*l.basic);
        v.precision = l.basic->precision;
        v.array_size = t->is_array() ? t->dims[0] : 0;
        v.var = object.vars[leaf];
        v.first_component = 0;
        for (size_t i = 0; i < steps.size(); ++i)
            v.first_component += steps[i] * l.strides[i];
        // Locations of uniforms and units of samplers count up by one per element (ESSL 3.10 sections 4.4.3
        // and 4.4.5); locations of inputs and outputs by one per column of an element.
        if (v.location >= 0) v.location += int(used_locations);
        if (v.binding >= 0) v.binding += int(v.first_component);
        used_locations += std::max(1u, v.array_size) * (uniforms ? 1u : l.basic->columns);
        replace_or_add(std::move(v));
    }

  private:
    /// In `v`, the block's name precedes the member's.
    void name_member(InterfaceVar& v) const {
        if (block.naming == BlockMembers::Naming::None) return;
        if (block.naming != BlockMembers::Naming::BuiltIn) v.match_name = v.name;
        if (block.naming != BlockMembers::Naming::Instance) v.name.erase(0, v.name.find('.') + 1);
    }
    /// A built-in output may be in the list already, as invariant.
    void replace_or_add(InterfaceVar v) {
        for (InterfaceVar& known : list) {
            if (block.naming != BlockMembers::Naming::BuiltIn || known.name != v.name) continue;
            v.invariant |= known.invariant;
            known = std::move(v);
            return;
        }
        list.push_back(std::move(v));
    }
};
}  // namespace

void Walker::list_leaves(std::vector<InterfaceVar>& list, const InterfaceVar& pattern, const Object& o,
                         const BlockMembers& members) {
    // An array of structures has one line per element and member.
    InterfaceLister lister(list, pattern, o, interface_B_, kMaxInterfaceLines, kMaxInterface_B,
                           &list == &out_.uniforms, members);
    lister.visit(o.type, pattern.name, 0);
    if (lister.full()) fail_interface(int(pattern.line));
}

void Walker::fail_interface(int line) {
    fail(line, "Terrazzo: the shader's interface has more than " + std::to_string(kMaxInterfaceLines) +
                   " variables, or their names and types more than " + std::to_string(kMaxInterface_B) +
                   " bytes");
}

void Walker::list_builtin(std::vector<InterfaceVar>& list, TIntermSymbol* s, ir::Var* v) {
    const Type* t = type_of(s);
    InterfaceVar i = describe(s, t);
    i.type = interface_type(t->leaves.empty() ? *t : *t->leaves[0].basic);
    i.precision = t->precision;
    i.array_size = t->is_array() ? t->dims[0] : 0;
    i.var = v;
    for (InterfaceVar& known : list) {
        if (known.name != i.name) continue;
        i.invariant |= known.invariant;
        if (!v) i.var = known.var;
        known = i;
        return;
    }
    list.push_back(i);
}

void Walker::bind_input(TIntermSymbol* s, const Type* t) {
    Object* o = declare_object(s, t, ir::Storage::Input);
    list_leaves(out_.inputs, describe(s, t), *o);
    if (is_distance(s)) size_distances(s, out_.inputs);
    bind_input(s, o);
}

/// Copies an input that is indexed dynamically to a local.
void Walker::bind_input(TIntermSymbol* s, Object* o) {
    const Type* const t = o->type;
    Binding& b = bindings_[s->getId()];
    b.kind = Binding::Kind::Storage;
    b.object = o;
    b.input = o;
    if (!scan_.use(s->getId()).array_indexed) return;
    in_prologue([&] {
        Object* copy = local(s->getName().c_str(), t);
        store(copy, load(o));
        b.object = copy;
    });
}

/// Variables of extensions that glslang does not know are uniforms for glslang (source.h), and so is
/// gl_NumSamples.
bool Walker::bind_stand_in(TIntermSymbol* s, const Type* t) {
    const std::string_view name(s->getName().c_str());
    Binding& b = bindings_[s->getId()];
    if (name == kInstanceId) {
        b.kind = Binding::Kind::Sysval;
        b.sysval = ir::Sysval::InstanceId;
        return true;
    }
    if (s->getQualifier().builtIn == EbvNone && name == "gl_NumSamples") {
        b.kind = Binding::Kind::Sysval;
        b.sysval = ir::Sysval::NumSamples;
        return true;
    }
    if (name != kLastFragData) return false;
    b.kind = Binding::Kind::Storage;
    b.object = local(s->getName().c_str(), t);
    const SymbolUse& use = scan_.use(s->getId());
    in_prologue([&] {
        plain_flags();
        for (uint32_t e = 0; e < b.object->vars[0]->count / 4; ++e) {
            if (!use.read || (!use.whole && !use.array_indexed && !(use.elements >> e & 1))) continue;
            const ir::Sysval color = ir::Sysval(unsigned(ir::Sysval::LastColor0) + e);
            for (uint32_t c = 0; c < 4; ++c)
                b_.store_var(b.object->vars[0], e * 4 + c, b_.load_sysval(color, c, ir::Type::F32));
        }
    });
    return true;
}

/// EXT_shader_framebuffer_fetch: an `inout` output is initialised with the colour buffer's value and keeps it
/// if the shader does not write. Returns whether `s` is such an output.
bool Walker::fetch_output(TIntermSymbol* s, const Object* o) {
    const std::string_view name(s->getName().c_str());
    if (std::find(fetched_outputs_.begin(), fetched_outputs_.end(), name) == fetched_outputs_.end())
        return false;
    const TQualifier& q = s->getQualifier();
    const uint32_t first = q.hasLocation() ? q.layoutLocation : 0;
    in_prologue([&] {
        plain_flags();
        for (ir::Var* v : o->vars) {
            const uint32_t width = o->type->leaves[0].basic->rows;
            for (uint32_t c = 0; c < v->count; ++c) {
                const uint32_t color = unsigned(ir::Sysval::LastColor0) + first + c / width;
                if (color > unsigned(ir::Sysval::LastColor7)) return;  // the linker refuses the output
                b_.store_var(v, c, b_.load_sysval(ir::Sysval(color), c % width, v->type));
            }
        }
    });
    return true;
}

/// The colours of ESSL 1.00.
static bool is_color(TBuiltInVariable v) {
    return v == EbvFragColor || v == EbvFragData;
}

void Walker::bind_output(TIntermSymbol* s, const Type* t) {
    Object* o = declare_object(s, t, ir::Storage::Output);
    // EXT_draw_buffers: if the shader enables it, gl_FragColor is written to all buffers.
    const bool to_all = s->getQualifier().builtIn == EbvFragColor && broadcast_color_;
    if (to_all) o->vars[0]->count *= uint32_t(options_.limits.draw_buffers);
    if (s->getQualifier().builtIn != EbvNone)
        list_builtin(out_.outputs, s, o->vars[0]);
    else
        list_leaves(out_.outputs, describe(s, t), *o);
    if (is_distance(s)) size_distances(s, out_.outputs);
    Binding& b = bindings_[s->getId()];
    b.kind = Binding::Kind::Storage;
    b.object = local(s->getName().c_str(), t);
    const SymbolUse& use = scan_.use(s->getId());
    const bool declared = s->getQualifier().builtIn == EbvNone;
    if (declared && use.array_indexed && sh_.stage == ir::Stage::Fragment && out_.version >= 300)
        return fail(s->getLoc().line, "'" + std::string(s->getName().c_str()) +
                                          "' : an array of fragment outputs is indexed by constants");
    if (fetch_output(s, b.object))
        outputs_.push_back({b.object, o, 0, true});
    else if (use.writes && is_distance(s))  // all of its elements count
        outputs_.push_back({b.object, o, 0, true});
    else if (use.writes)
        outputs_.push_back({b.object, o, use.elements, use.whole,
                            is_color(s->getQualifier().builtIn) && use.mediump_writes == use.writes});
}

void Walker::declare_symbol(TIntermSymbol* s) {
    if (bindings_[s->getId()].kind != Binding::Kind::None || failed_) return;
    const TQualifier& q = s->getQualifier();
    const std::string name = s->getName().c_str();
    const bool builtin = name.compare(0, 3, "gl_") == 0 && name != "gl_DepthRange";
    const bool block = s->getBasicType() == EbtBlock;
    if (is_distance(s) && !check_distance(s)) return;
    if (block && (q.storage == EvqUniform || q.storage == EvqBuffer)) return declare_block(s);
    if ((q.isPipeInput() || q.isPipeOutput()) && is_direct(q)) return declare_stage_io(s);
    if (block) return declare_io_block(s);
    if (s->getBasicType() == EbtAtomicUint && q.storage == EvqUniform) return declare_counter(s);
    switch (q.storage) {
        case EvqShared:
            return declare_shared(s);
        case EvqUniform: {
            const Type* t = type_of(s);
            if (failed_) return;
            if (bind_stand_in(s, t)) return;
            if (t->base == Base::Image &&
                !check_binding(s, t->components, options_.limits.image_units, "images"))
                return;
            Object* o = declare_object(s, t, ir::Storage::Uniform);
            list_leaves(out_.uniforms, describe(s, t), *o);
            Binding& b = bindings_[s->getId()];
            b.kind = Binding::Kind::Storage;
            b.object = o;
            return;
        }
        case EvqVaryingIn:
        case EvqFragCoord:
        case EvqPointCoord:
        case EvqFace:
        case EvqVertexId:
        case EvqInstanceId:
            if (builtin) return list_builtin(out_.inputs, s, nullptr);
            return bind_input(s, type_of(s));
        case EvqVaryingOut:
        case EvqPosition:
        case EvqPointSize:
        case EvqFragColor:
        case EvqFragDepth:
            if (builtin) return list_builtin(out_.outputs, s, nullptr);
            return bind_output(s, type_of(s));
        case EvqBuffer:
        case EvqFragStencil:
        case EvqClipVertex:
            fail(s->getLoc().line, "'" + name + "' : Terrazzo: not supported");
            return;
        default:
            return;
    }
}

void Walker::declare_interface() {
    if (sh_.stage == ir::Stage::Vertex && scan_.invariant_output()) exact_ = ir::instr_flag::kExact;
    TIntermAggregate* list = scan_.linker_objects();
    if (!list) return;
    for (TIntermNode* n : list->getSequence()) {
        if (TIntermSymbol* s = n->getAsSymbolNode()) declare_symbol(s);
        if (failed_) return;
    }
    check_distance_sizes();
    // Built-in variables that are redeclared as invariant, for the linker's rules.
    for (const std::string& name : scan_.invariant_builtins()) {
        auto& built_ins = sh_.stage == ir::Stage::Vertex ? out_.outputs : out_.inputs;
        if (std::any_of(built_ins.begin(), built_ins.end(),
                        [&](const InterfaceVar& v) { return v.name == name; }))
            continue;
        InterfaceVar v;
        v.name = name;
        v.invariant = true;
        built_ins.push_back(v);
    }
}

void Walker::store_outputs() {
    stored_ = accessed_vars(sh_.body, Op::StoreVar);
    note_used_members();
    if (sh_.stage == ir::Stage::Geometry) return finish_emitting();
    plain_flags();
    b_.line = 0;
    for (const Shadow& s : outputs_)
        store_output(s);
}

void Walker::store_output(const Shadow& s) {
    for (size_t k = 0; k < s.output->vars.size(); ++k) {
        // For a block, only the members that the shader writes.
        if (s.output->is_block && !stored_.contains(s.local->vars[k])) continue;
        const Leaf& l = s.output->type->leaves[k];
        const uint32_t element = l.strides.empty() ? l.count : l.strides[0];
        for (uint32_t c = 0; c < s.output->vars[k]->count; ++c) {
            // For gl_FragData, only the elements that the shader uses.
            const uint32_t e = c / element;
            if (!s.whole && e < 64 && !(s.elements >> e & 1)) continue;
            Value* const v = b_.load_var(s.local->vars[k], c % l.count);
            if (s.mediump) b_.flags |= ir::instr_flag::kMediump;
            b_.store_var(s.output->vars[k], c, v);
            plain_flags();
        }
    }
}

}  // namespace terrazzo::shaders::glsl

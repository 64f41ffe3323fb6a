// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The entry of the translation; symbols, constants, errors and the limits on a shader's size.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {
// Far above any real shader. The limits stop texts that are written to exhaust memory, such as functions that
// each call the next one twice. Compiling and linking this many values, and generating the CPU driver's code,
// takes less than 512 MiB.
constexpr uint32_t kMaxValues = 600'000;
constexpr unsigned kMaxNodes = 1'000'000;
constexpr unsigned kMaxRegionDepth = 180;
// A value of a large type is a list of all its scalars. kMaxAccesses: the instructions for reads and writes
// of variables. kMaxCopies: the list entries that other expressions copy.
constexpr uint64_t kMaxAccesses = 1'000'000, kMaxCopies = uint64_t(1) << 25;
constexpr size_t kMaxVars = 100'000;
}  // namespace

void Walker::fail(int line, const std::string& message) {
    if (failed_) return;
    failed_ = true;
    log_ += "ERROR: 0:" + std::to_string(line) + ": " + message + "\n";
}

bool Walker::over_budget(const TIntermNode* n) {
    if (failed_) return true;
    const char* const what = ++nodes_ > kMaxNodes             ? "expressions and statements"
                             : sh_.value_count() > kMaxValues ? "values"
                                                              : nullptr;
    if (what)
        fail(n->getLoc().line,
             "Terrazzo: the shader is too large once its functions are inlined: more than " +
                 std::to_string(nodes_ > kMaxNodes ? kMaxNodes : kMaxValues) + " " + what);
    return failed_;
}

/// Counts moves before they are emitted. False: there are too many.
bool Walker::count_moves(uint64_t accesses, uint64_t copies) {
    accesses_ += accesses;
    copies_ += copies;
    if (accesses_ > kMaxAccesses)
        fail(int(b_.line),
             "Terrazzo: structures and arrays are read and written as a whole too often (more than " +
                 std::to_string(kMaxAccesses) + " scalars)");
    else if (copies_ > kMaxCopies)
        fail(int(b_.line), "Terrazzo: expressions copy more than " + std::to_string(kMaxCopies) + " scalars");
    return !failed_;
}

const Type* Walker::convert_type(const TType& t, int line) {
    std::string error;
    const Type* r = types_.get(t, error);
    if (r) return r;
    fail(line, error);
    return types_.basic(Base::Float, 1, 1, ir::Precision::None);
}

const Type* Walker::type_of(const TIntermTyped* n) {
    return convert_type(n->getType(), n->getLoc().line);
}

void Walker::at(const TIntermNode* n) {
    b_.line = uint32_t(std::max(0, n->getLoc().line));
    b_.flags = exact_;
}

void Walker::at(const TIntermOperator* n) {
    b_.line = uint32_t(std::max(0, n->getLoc().line));
    TPrecisionQualifier p = n->getOperationPrecision();
    if (n->getBasicType() == EbtBool) {
        // A comparison has the precision of its operands.
        p = EpqNone;
        if (TIntermBinary* b = const_cast<TIntermOperator*>(n)->getAsBinaryNode()) {
            p = std::max(b->getLeft()->getQualifier().precision, b->getRight()->getQualifier().precision);
        } else if (TIntermAggregate* a = const_cast<TIntermOperator*>(n)->getAsAggregate()) {
            for (TIntermNode* arg : a->getSequence()) {
                if (TIntermTyped* t = arg->getAsTyped()) p = std::max(p, t->getQualifier().precision);
            }
        }
    }
    const bool exact = exact_ || n->getType().getQualifier().isNoContraction();
    b_.flags = uint8_t((exact ? ir::instr_flag::kExact : 0) |
                       (p == EpqLow || p == EpqMedium ? ir::instr_flag::kMediump : 0));
}

Value* Walker::constant(ir::Type t, uint64_t bits) {
    Value*& v = constants_[{t, bits}];
    if (!v) in_prologue([&] { v = b_.constant(t, bits); });
    return v;
}

Vals Walker::undefined(const Type* t) {
    Vals r;
    for (const Leaf& l : t->leaves)
        r.append(l.count, zero(l.basic->scalar()));
    return r;
}

static uint32_t constant_bits(const TConstUnion& c) {
    switch (c.getType()) {
        case EbtFloat:
        case EbtDouble:
            return std::bit_cast<uint32_t>(float(c.getDConst()));
        case EbtInt:
            return uint32_t(c.getIConst());
        case EbtUint:
            return c.getUConst();
        case EbtBool:
            return c.getBConst();
        default:
            return 0;
    }
}

/// glslang lists a constant's scalars element by element and member by member; here they are sorted by leaf.
void Walker::constants_into(const TConstUnionArray& a, const Type* t, size_t& pos,
                            std::span<std::vector<Value*>> leaves) {
    if (t->is_array()) {
        for (uint32_t i = 0; i < t->dims[0]; ++i)
            constants_into(a, t->element, pos, leaves);
    } else if (t->base == Base::Struct) {
        for (const Member& m : t->members)
            constants_into(a, m.type, pos, leaves.subspan(m.first_leaf, m.type->leaves.size()));
    } else {
        for (uint32_t i = 0; i < t->components; ++i, ++pos) {
            const uint32_t bits = pos < size_t(a.size()) ? constant_bits(a[int(pos)]) : 0;
            leaves[0].push_back(constant(t->scalar(), bits));
        }
    }
}

Vals Walker::constants(const TConstUnionArray& a, const Type* t) {
    std::vector<std::vector<Value*>> leaves(t->leaves.size());
    size_t pos = 0;
    constants_into(a, t, pos, leaves);
    Vals r;
    for (auto& l : leaves)
        r.append(l.data(), l.size());
    return r;
}

Object* Walker::local(const std::string& name, const Type* t) {
    Object& o = objects_.emplace_back();
    o.type = t;
    for (const Leaf& l : t->leaves) {
        ir::Var* v = sh_.add_var(name + l.suffix, l.basic->scalar(), l.count, ir::Storage::Local);
        v->precision = l.basic->precision;
        o.vars.push_back(v);
    }
    if (sh_.vars().size() > kMaxVars)
        fail(int(b_.line), "Terrazzo: more than " + std::to_string(kMaxVars) + " variables");
    return &o;
}

Object* Walker::local_bool(const char* name) {
    return local(name, types_.basic(Base::Bool, 1, 1, ir::Precision::None));
}

Binding& Walker::binding(TIntermSymbol* s) {
    Binding& b = bindings_[s->getId()];
    if (b.kind != Binding::Kind::None) return b;
    const Type* t = type_of(s);
    if (s->getConstArray().size() > 0) {
        b.kind = Binding::Kind::Value;
        b.values = constants(s->getConstArray(), t);
        return b;
    }
    if (s->getQualifier().builtIn != EbvNone || s->getQualifier().isIo() ||
        s->getQualifier().storage == EvqShared)
        bind_builtin(s, b);
    if (b.kind == Binding::Kind::None) {
        if (is_distance(s) && !check_distance(s)) return b;
        b.kind = Binding::Kind::Storage;
        b.object = local(s->getName().c_str(), t);
    }
    return b;
}

void Walker::bind_builtin(TIntermSymbol* s, Binding& b) {
    const auto sysval = [&](ir::Sysval v) {
        list_builtin(out_.inputs, s, nullptr);
        b.kind = Binding::Kind::Sysval;
        b.sysval = v;
    };
    switch (s->getQualifier().builtIn) {
        case EbvFragCoord:
            return sysval(ir::Sysval::FragCoord);
        case EbvFace:
            return sysval(ir::Sysval::FrontFacing);
        case EbvPointCoord:
            return sysval(ir::Sysval::PointCoord);
        case EbvVertexId:
        case EbvVertexIndex:
            return sysval(ir::Sysval::VertexId);
        case EbvInstanceId:
        case EbvInstanceIndex:
            return sysval(ir::Sysval::InstanceId);
        case EbvViewIndex:
            return bind_view(s);
        case EbvHelperInvocation:
            return sysval(ir::Sysval::HelperInvocation);
        case EbvSampleId:
            return sysval(ir::Sysval::SampleId);
        case EbvSamplePosition:
            return sysval(ir::Sysval::SamplePos);
        case EbvSampleMask:
            if (s->getQualifier().isPipeOutput()) return bind_output(s, type_of(s));
            return bind_sample_mask_in(s, b);
        case EbvInvocationId:
        case EbvPatchVertices:
        case EbvTessCoord:
        case EbvPrimitiveId:
        case EbvLayer:
        case EbvTessLevelOuter:
        case EbvTessLevelInner:
            return bind_stage_sysval(s, b);
        case EbvNumWorkGroups:
            return sysval(ir::Sysval::NumWorkGroups);
        case EbvWorkGroupId:
            return sysval(ir::Sysval::WorkGroupId);
        case EbvLocalInvocationId:
            return sysval(ir::Sysval::LocalInvocationId);
        case EbvLocalInvocationIndex:
            return sysval(ir::Sysval::LocalInvocationIndex);
        case EbvGlobalInvocationId:
            return bind_global_invocation(s, b);
        case EbvPosition:
        case EbvPointSize:
            if (is_direct(s->getQualifier())) break;
            return bind_output(s, type_of(s));
        case EbvFragColor:
        case EbvFragData:
        case EbvFragDepth:
        case EbvSecondaryFragColorEXT:
        case EbvSecondaryFragDataEXT:
            return bind_output(s, type_of(s));
        default:
            break;
    }
    // By name: gl_DepthRange, and everything that an application declares itself.
    declare_symbol(s);
    if (bindings_[s->getId()].kind == Binding::Kind::None)
        fail(s->getLoc().line, std::string(s->getName().c_str()) + " : Terrazzo: not supported");
}

/// gl_ViewID_OVR: an input variable of this name, which the linker lowers (passes/views.h).
void Walker::bind_view(TIntermSymbol* s) {
    bind_input(s, type_of(s));
    const Binding& b = bindings_[s->getId()];
    if (b.input) b.input->vars[0]->interp = ir::Interp::Flat;
}

/// An array of one word, which may be indexed.
void Walker::bind_sample_mask_in(TIntermSymbol* s, Binding& b) {
    b.kind = Binding::Kind::Storage;
    b.object = local(s->getName().c_str(), type_of(s));
    in_prologue([&] {
        plain_flags();
        b_.store_var(b.object->vars[0], 0, b_.load_sysval(ir::Sysval::SampleMaskIn, 0, ir::Type::I32));
    });
}

/// ESSL 3.10 section 7.1.3: gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID.
void Walker::bind_global_invocation(TIntermSymbol* s, Binding& b) {
    list_builtin(out_.inputs, s, nullptr);
    b.kind = Binding::Kind::Value;
    in_prologue([&] {
        for (uint32_t c = 0; c < 3; ++c) {
            Value* const group = b_.load_sysval(ir::Sysval::WorkGroupId, c, ir::Type::I32);
            Value* const first = b_.imul(group, i32(int32_t(sh_.info.workgroup_size[c])));
            b.values.push_back(
                b_.iadd(first, b_.load_sysval(ir::Sysval::LocalInvocationId, c, ir::Type::I32)));
        }
    });
}

Vals Walker::read_symbol(TIntermSymbol* s) {
    Binding& b = binding(s);
    switch (b.kind) {
        case Binding::Kind::Value:
            return b.values;
        case Binding::Kind::Storage:
            return load(b.object);
        case Binding::Kind::Alias:
            return load(b.place);
        case Binding::Kind::Sysval: {
            const Type* t = type_of(s);
            plain_flags();
            Vals r;
            for (uint32_t c = 0; c < t->components; ++c)
                r.push_back(b_.load_sysval(b.sysval, c, t->scalar()));
            return r;
        }
        case Binding::Kind::None:
            break;
    }
    return undefined(type_of(s));
}

/// Finds regions nested too deep; the IR's readers recurse over them. Returns the line; -1: there are none.
static int too_deep_line(const ir::Region* r, unsigned depth = 1) {
    for (const ir::Instr* i = r->first; i; i = i->next) {
        if (i->region_count && depth >= kMaxRegionDepth) return int(i->line);
        for (unsigned k = 0; k < i->region_count; ++k)
            if (const int line = too_deep_line(i->regions[k], depth + 1); line >= 0) return line;
    }
    return -1;
}

bool Walker::run(TIntermNode* root) {
    anchor_ = b_.constant(ir::Type::I32, 0)->def;
    declare_interface();
    if (sh_.stage == ir::Stage::Geometry) begin_emitting();
    if (failed_) return false;
    Function* main = scan_.main();
    if (!main) return true;
    // Initialisers of globals are between the functions.
    if (TIntermAggregate* all = root->getAsAggregate(); all && all->getOp() != EOpFunction) {
        for (TIntermNode* n : all->getSequence()) {
            TIntermAggregate* a = n->getAsAggregate();
            if (a && (a->getOp() == EOpFunction || a->getOp() == EOpLinkerObjects)) continue;
            (void)statement(n);
            if (failed_) return false;
        }
    }
    Frame frame;
    frame.function = main;
    frame.result_type = types_.basic(Base::Void, 1, 1, ir::Precision::None);
    (void)inline_body(frame);
    if (failed_) return false;
    b_.set_end(sh_.body);
    store_outputs();
    if (const int line = too_deep_line(sh_.body); line >= 0)
        fail(line, "Terrazzo: ifs and loops nested more than " + std::to_string(kMaxRegionDepth) +
                       " deep once functions are inlined");
    return !failed_;
}

}  // namespace terrazzo::shaders::glsl

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The recursion is as deep as regions are nested, which validate() has bounded before.
#include "shaders/ir/validate_linked.h"

#include <array>

#include "shaders/ir/eval.h"
#include "shaders/ir/limits.h"
#include "shaders/ir/names.h"
#include "shaders/ir/print.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/validate.h"

namespace terrazzo::ir {

namespace {

constexpr unsigned kSlots = unsigned(VaryingSlot::Varying0) + kMaxVaryings;

/// The system values that linked stages read. A row has all that compilers assume of one.
struct SysvalRow {
    Sysval value;
    Stage stage;
    Type type;
    uint8_t components;
};
constexpr SysvalRow kSysvals[] = {
    {Sysval::VertexId, Stage::Vertex, Type::I32, 1},
    {Sysval::InstanceId, Stage::Vertex, Type::I32, 1},
    {Sysval::FragCoord, Stage::Fragment, Type::F32, 4},
    {Sysval::PointCoord, Stage::Fragment, Type::F32, 2},
    {Sysval::FrontFacing, Stage::Fragment, Type::Bool, 1},
    {Sysval::SampleId, Stage::Fragment, Type::I32, 1},
    {Sysval::SamplePos, Stage::Fragment, Type::F32, 2},
    {Sysval::SampleMaskIn, Stage::Fragment, Type::I32, 1},
    {Sysval::NumSamples, Stage::Fragment, Type::I32, 1},
    {Sysval::HelperInvocation, Stage::Fragment, Type::Bool, 1},
    {Sysval::WorkGroupId, Stage::Compute, Type::I32, 3},
    {Sysval::LocalInvocationId, Stage::Compute, Type::I32, 3},
    {Sysval::LocalInvocationIndex, Stage::Compute, Type::I32, 1},
    {Sysval::NumWorkGroups, Stage::Compute, Type::I32, 3},
};

bool is_last_color(Sysval v) {
    return v >= Sysval::LastColor0 && v <= Sysval::LastColor7;
}

class LinkedValidator {
  public:
    LinkedValidator(const Shader& s, const StageInterface& reach) : shader_(s), reach_(reach) {}
    std::string run();

  private:
    std::string whole() const;
    std::string records() const;
    bool region(const Region& r);
    std::string instr(const Instr& i);
    std::string operation(const Instr& i) const;
    std::string input(const Instr& i);
    std::string output(const Instr& i);
    std::string uniform(const Instr& i) const;
    std::string sysval(const Instr& i) const;
    std::string texture(const Instr& i) const;
    std::string buffer(const MemInfo& m) const;
    std::string image(const MemInfo& m) const;

    const Shader& shader_;
    const StageInterface& reach_;
    uint64_t operands_ = 0;
    std::array<Type, kSlots * 4> input_types_{}, output_types_{};  // Void: not seen yet
    std::array<int8_t, kSlots> interp_{};                          // 1 + Interp; 0: not seen yet
    std::string error_;
};

bool is_linked_type(Type t) {
    return t == Type::Bool || t == Type::I32 || t == Type::F32;
}

/// Whether all accesses have the same type: compilers use one variable for them.
bool agrees(Type& known, Type t) {
    if (known == Type::Void) known = t;
    return known == t;
}

std::string limit_of(const char* what, uint64_t limit) {
    return std::string(what) + " exceed the limit of " + std::to_string(limit);
}

/// Checks that an ALU operation exists for its types.
std::string LinkedValidator::operation(const Instr& i) const {
    const Sig sig = i.info().sig;
    if (sig == Sig::Any || i.op == Op::FDdx || i.op == Op::FDdy || i.op == Op::FDdxFine ||
        i.op == Op::FDdyFine)
        return {};
    const Type operand = i.operand(i.op == Op::Select ? 1 : 0)->type;
    return kernel(i.op, i.result()->type, operand) ? "" : "the operation exists for these types";
}

std::string LinkedValidator::input(const Instr& i) {
    const IoInfo& io = i.u.io;
    if (i.op == Op::LoadInput && i.operand_count) return "a linked input has no index";
    if (io.slot >= kSlots || !(reach_.inputs >> io.slot & 1))
        return "the program has the attribute or varying";
    if (!agrees(input_types_[io.slot * 4 + io.component], i.result()->type))
        return "an input has one type wherever it is read";
    if (shader_.stage == Stage::Vertex) return {};
    int8_t& known = interp_[io.slot];
    if (!known) known = int8_t(1 + int(io.interp));
    return known == 1 + int(io.interp) ? "" : "a varying slot is interpolated in one way";
}

std::string LinkedValidator::output(const Instr& i) {
    const IoInfo& io = i.u.io;
    if (io.slot >= kSlots || !(reach_.outputs >> io.slot & 1)) return "the program has the output";
    const Type t = i.operand(0)->type;
    if (!agrees(output_types_[io.slot * 4 + io.component], t))
        return "an output has one type wherever it is written";
    const bool fragment = shader_.stage == Stage::Fragment;
    const bool point_size = !fragment && io.slot == unsigned(VaryingSlot::PointSize);
    const bool sample_mask = fragment && io.slot == unsigned(FragSlot::SampleMask);
    const bool depth = fragment && io.slot == unsigned(FragSlot::Depth);
    const bool position = !fragment && io.slot == unsigned(VaryingSlot::Position);
    const bool distance = !fragment && (distance_mask(2) >> io.slot & 1);
    if (distance && t != Type::F32) return "clip and cull distances are f32";
    if (sample_mask && (io.component || t != Type::I32)) return "a sample mask is one i32";
    if ((point_size || depth) && io.component) return "point size and depth are scalars";
    if ((point_size || depth || position) && t != Type::F32) return "position, point size and depth are f32";
    return {};
}

std::string LinkedValidator::uniform(const Instr& i) const {
    const IoInfo& io = i.u.io;
    if (i.result()->type == Type::Bool) return "a linked uniform is an i32 or an f32";
    const uint64_t count = i.operand_count ? io.count : 1;
    return io.slot + count <= reach_.uniform_dw ? "" : "a uniform lies within the default block";
}

std::string LinkedValidator::sysval(const Instr& i) const {
    const auto v = Sysval(i.u.io.slot);
    const Type t = i.result()->type;
    if (is_last_color(v))
        return shader_.stage == Stage::Fragment && (t == Type::F32 || t == Type::I32)
                   ? ""
                   : "what a colour buffer holds is an f32 or an i32 of the fragment stage";
    for (const SysvalRow& row : kSysvals) {
        if (row.value != v) continue;
        const bool kernels = row.value == Sysval::WorkGroupId || row.value == Sysval::LocalInvocationIndex;
        if (row.stage != shader_.stage && !(kernels && is_kernel(shader_.stage)))
            return "the stage has the system value";
        return row.type == t && i.u.io.component < row.components
                   ? ""
                   : "a system value has its type and components";
    }
    return "linked stages have no such system value";
}

std::string LinkedValidator::texture(const Instr& i) const {
    const TexInfo& t = *i.u.tex;
    if (uint64_t(t.binding) >= reach_.samplers.size()) return "the program has the sampler";
    const StageInterface::Sampler& s = reach_.samplers[size_t(t.binding)];
    if (t.count < 1 || t.count > s.array_left || (!t.indexed && t.count != 1))
        return "a sampler's index stays within its array";
    if (t.dim != s.dim || t.arrayed != s.arrayed) return "a texture is read as its sampler is declared";
    switch (t.op) {
        case TexOp::Size:
        case TexOp::Levels:
            return t.result == Type::I32 ? "" : "sizes are i32";
        case TexOp::Sample:
        case TexOp::SampleBias:
        case TexOp::SampleLod:
        case TexOp::SampleGrad:
            break;
        case TexOp::Fetch:
            if (t.shadow || t.dim == TexDim::Cube) return "shadow and cube samplers are not fetched from";
            break;
        case TexOp::FetchMS:
            if (t.dim != TexDim::D2MS) return "samples are fetched from multisampled textures";
            break;
        case TexOp::Gather:
            if (t.dim != TexDim::D2 && t.dim != TexDim::Cube) return "2D and cube textures are gathered from";
            if (t.gather_component > 3) return "a gathered component is 0 to 3";
            break;
        case TexOp::QueryLod:
            if (t.dim != TexDim::D2 && t.dim != TexDim::D3 && t.dim != TexDim::Cube)
                return "levels of detail are those of textures with levels";
            if (t.shadow != s.shadow) return "a texture is read as its sampler is declared";
            return t.result == Type::F32 ? "" : "levels of detail are floats";
    }
    if (t.shadow != s.shadow) return "a texture is read as its sampler is declared";
    for (const int8_t o : t.offset)
        if (o < -8 || o > 7) return "a texel offset is -8 to 7";
    return t.result == s.texel ? "" : "texels have the sampler's type";
}

std::string LinkedValidator::buffer(const MemInfo& m) const {
    if (m.element_B != 4) return "linked stages store whole words";
    if (m.space == Storage::Shared)
        return shader_.info.shared_B ? "" : "the stage has shared memory where it says so";
    const auto& left = m.space == Storage::UniformBlock ? reach_.uniform_blocks : reach_.storage_buffers;
    if (m.space == Storage::Buffer && uint64_t(m.binding) >= kMaxStorageBuffers)
        return is_kernel(shader_.stage) && shader_.stage != Stage::Compute && m.count == 1 &&
                       uint64_t(m.binding) < kAllStorageBuffers
                   ? ""
                   : "geometry and tessellation stages alone have records of vertices";
    if (uint64_t(m.binding) >= left.size()) return "the program has the block";
    return m.count <= left[size_t(m.binding)] ? "" : "a block's index stays within its array";
}

std::string LinkedValidator::image(const MemInfo& m) const {
    if (uint64_t(m.binding) >= reach_.images.size()) return "the program has the image";
    const StageInterface::Image& i = reach_.images[size_t(m.binding)];
    if (m.count > i.array_left) return "an image's index stays within its array";
    return m.dim == i.dim && m.arrayed == i.arrayed && m.format == i.format
               ? ""
               : "an image is accessed as it is declared";
}

std::string LinkedValidator::instr(const Instr& i) {
    operands_ += i.operand_count;
    if (operands_ > kMaxStageOperands) return limit_of("the operands of a stage", kMaxStageOperands);
    for (unsigned n = 0; n < i.result_count; n++)
        if (!is_linked_type(i.result(n)->type)) return "linked stages have bools, i32 and f32";
    switch (i.op) {
        case Op::LoadInput:
        case Op::LoadInputAt:
            return input(i);
        case Op::StoreOutput:
            return output(i);
        case Op::LoadUniform:
            return uniform(i);
        case Op::LoadSysval:
            return sysval(i);
        case Op::Tex:
            return texture(i);
        case Op::LoadBuffer:
        case Op::StoreBuffer:
        case Op::AtomicBuffer:
        case Op::BufferSize:
            return buffer(*i.u.mem);
        case Op::LoadImage:
        case Op::StoreImage:
        case Op::AtomicImage:
        case Op::ImageSize:
            return image(*i.u.mem);
        case Op::Barrier:
            return i.u.mem->execution == MemScope::None || shader_.stage == Stage::Compute ||
                           shader_.stage == Stage::TessControl
                       ? ""
                       : "invocations of workgroups wait for each other";
        case Op::Loop:
            for (unsigned n = 0; n < i.regions[0]->arg_count; n++)
                if (!is_linked_type(i.regions[0]->args[n]->type))
                    return "linked stages have bools, i32 and f32";
            return {};
        default:
            return operation(i);
    }
}

bool LinkedValidator::region(const Region& r) {
    for (const Instr* i = r.first; i; i = i->next) {
        if (const std::string rule = instr(*i); !rule.empty()) {
            std::string text = print(*i);
            text.resize(std::min(text.find('\n'), text.size()));
            error_ = rule + ": " + text;
            return false;
        }
        for (unsigned n = 0; n < i->region_count; n++)
            if (!region(*i->regions[n])) return false;
    }
    return true;
}

/// Checks the numbers from which drivers compute the sizes of buffers.
std::string LinkedValidator::records() const {
    const StageRecords& r = shader_.info.records;
    const Stage s = shader_.stage;
    const auto group = [&](uint32_t n) {
        const uint32_t* const w = shader_.info.workgroup_size;
        return w[0] == n && w[1] == 1 && w[2] == 1;
    };
    const uint64_t varyings = ((uint64_t(1) << kSlots) - 1) | uint64_t(1) << unsigned(EmitSlot::StripStart);
    const char* const rule = "records of vertices are what the stage may have";
    if ((r.slots_in | r.slots_out) & ~varyings) return rule;
    switch (s) {
        case Stage::Geometry: {
            const bool out = r.out == Shape::Points || r.out == Shape::Lines || r.out == Shape::Triangles;
            const bool in = out && r.in <= Shape::TrianglesAdjacency && r.vertices_in == vertices_of(r.in);
            const bool sizes =
                r.vertices_out <= kMaxEmitted && r.invocations && r.invocations <= kMaxInvocations;
            return in && r.vertices_in && sizes && !r.patch_rows && group(kKernelGroup) ? "" : rule;
        }
        case Stage::TessControl:
            return r.vertices_out && r.vertices_out <= kMaxPatchVertices && !r.vertices_in &&
                           r.patch_rows <= kMaxPatchRows && group(r.vertices_out)
                       ? ""
                       : rule;
        case Stage::TessEval: {
            const bool domain = r.in == Shape::Triangles || r.in == Shape::Quads || r.in == Shape::Isolines;
            const bool out = r.out == Shape::Points ||
                             r.out == (r.in == Shape::Isolines ? Shape::Lines : Shape::Triangles);
            return domain && out && r.vertices_in <= kMaxPatchVertices && r.patch_rows <= kMaxPatchRows &&
                           group(kKernelGroup)
                       ? ""
                       : rule;
        }
        case Stage::Vertex:
        case Stage::Fragment:
        case Stage::Compute:
            break;
    }
    return r == StageRecords() ? "" : "geometry and tessellation stages alone have records of vertices";
}

/// Checks the rules of the whole shader.
std::string LinkedValidator::whole() const {
    const bool compute = shader_.stage == Stage::Compute;
    if (std::string rule = records(); !rule.empty()) return rule;
    if (shader_.value_count() > kMaxStageValues) return limit_of("the values of a stage", kMaxStageValues);
    uint64_t scalars = 0;
    for (const Var* v : shader_.vars()) {
        if (v->storage != Storage::Local) return "a linked stage's variables are its own";
        if (!is_linked_type(v->type)) return "linked stages have bools, i32 and f32";
        scalars += v->count;
    }
    if (scalars > kMaxPrivateScalars)
        return limit_of("the scalars of a stage's variables", kMaxPrivateScalars);
    const ShaderInfo& info = shader_.info;
    uint64_t invocations = 1;
    for (const uint32_t n : info.workgroup_size) {
        if (n < 1 || (n > 1 && !is_kernel(shader_.stage))) return "kernels alone have workgroups";
        invocations *= std::min(n, kMaxGroupInvocations + 1);
    }
    if (invocations > kMaxGroupInvocations)
        return limit_of("a workgroup's invocations", kMaxGroupInvocations);
    if (info.shared_B > (compute ? kMaxShared_B : 0)) return limit_of("bytes of shared memory", kMaxShared_B);
    if (info.blend_equations >> 15 || (info.blend_equations && shader_.stage != Stage::Fragment))
        return "blend equations are of the fragment stage";
    if (info.early_fragment_tests && shader_.stage != Stage::Fragment)
        return "early tests are of the fragment stage";
    return {};
}

std::string LinkedValidator::run() {
    if (std::string rule = whole(); !rule.empty()) return rule;
    if (std::string rule = validate(shader_, Phase::AfterLink); !rule.empty()) return rule;
    (void)region(*shader_.body);
    return error_;
}

}  // namespace

uint64_t fixed_outputs(Stage stage) {
    const auto bit = [](auto slot) { return uint64_t(1) << unsigned(slot); };
    if (stage == Stage::Vertex) return bit(VaryingSlot::Position) | bit(VaryingSlot::PointSize);
    const uint64_t colors = (bit(FragSlot::Color7) << 1) - bit(FragSlot::Color0);
    return stage == Stage::Fragment
               ? colors | bit(FragSlot::Depth) | bit(FragSlot::SampleMask) | bit(FragSlot::Second)
               : 0;
}

std::string validate_linked(const Shader& s, const StageInterface& reach) {
    return LinkedValidator(s, reach).run();
}

}  // namespace terrazzo::ir

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shader IR: typed scalar SSA with structured control flow.
//
// A Shader owns an arena with its Values, Instrs, Regions and Vars, which are freed with it. A Region is a
// list of instructions. `If` has two regions (then, else), `Loop` one. There is no other control flow: the
// front end inlines functions and turns early returns into flags. A region ends with at most one terminator:
//   yield v...     ends an arm of an If; the values are the If's results
//   break v...     leaves the innermost Loop; the values are the Loop's results (also in arms of Ifs)
//   continue v...  next iteration of the innermost Loop; the values become the Loop region's arguments
// A Loop's operands are the first iteration's arguments. Arms of Ifs that break or continue have no yield. A
// Loop's own region ends with break or continue. An If without results may omit yields. The body of a Shader
// has no terminator. Values of a region are visible in it and in the regions nested in it.
//
// Before linking, interface variables are Vars with storage Input, Output, Uniform or Sampler, accessed with
// LoadVar/StoreVar/Tex; shaders/link turns these into LoadInput/StoreOutput/LoadUniform and binding numbers.
// A dynamic index must be in range: the code that creates it clamps it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::ir {

enum class Stage : uint8_t { Vertex, TessControl, TessEval, Geometry, Fragment, Compute };
inline constexpr unsigned kStageCount = 6;
/// Stages whose linked code is a kernel: workgroups of invocations that access buffers (stage_buffers.h).
[[nodiscard]] constexpr bool is_kernel(Stage s) {
    return s != Stage::Vertex && s != Stage::Fragment;
}

/// Integers have no sign: operations interpret them as signed or unsigned.
enum class Type : uint8_t { Void, Bool, I16, I32, I64, F16, F32 };
[[nodiscard]] constexpr bool is_float(Type t) {
    return t == Type::F16 || t == Type::F32;
}
[[nodiscard]] constexpr bool is_int(Type t) {
    return t == Type::I16 || t == Type::I32 || t == Type::I64;
}
[[nodiscard]] constexpr unsigned bit_size(Type t) {
    switch (t) {
        case Type::Void:
            return 0;
        case Type::Bool:
            return 1;
        case Type::I16:
        case Type::F16:
            return 16;
        case Type::I32:
        case Type::F32:
            return 32;
        case Type::I64:
            return 64;
    }
    return 0;
}

enum class Op : uint8_t {
#define TZ_OP(name, text, operands, sig, flags) name,
#include "shaders/ir/ops.def"
#undef TZ_OP
    Count_
};

/// How operand and result types relate; the validator enforces it.
enum class Sig : uint8_t {
    Any,        // the payload decides
    Same,       // T -> T
    Select,     // Bool, T, T -> T
    Float,      // F... -> F
    FloatInt,   // F, I32 -> F
    Int,        // I... -> I (shift counts and bit positions: I32)
    IntOrBool,  // T... -> T, T integer or Bool
    FloatCmp,   // F, F -> Bool
    IntCmp,     // I, I -> Bool
    Convert,    // any -> any, by the op's name
};

namespace op_flag {
inline constexpr uint8_t C = 1, T = 2, S = 4, R = 8, D = 16, TS = T | S, RD = R | D;
}
struct OpInfo {
    std::string_view text;
    int8_t operands;
    Sig sig;
    uint8_t flags;
    [[nodiscard]] constexpr bool commutative() const { return flags & op_flag::C; }
    [[nodiscard]] constexpr bool terminator() const { return flags & op_flag::T; }
    [[nodiscard]] constexpr bool side_effect() const { return flags & op_flag::S; }
    /// A function of its operands alone: may be moved, merged and removed.
    [[nodiscard]] constexpr bool pure() const { return !(flags & (op_flag::S | op_flag::R | op_flag::D)); }
};
[[nodiscard]] const OpInfo& op_info(Op op);

struct Instr;
struct Region;
struct Value;

/// One operand of an instruction; linked into its value's list of uses.
struct Use {
    Value* value = nullptr;
    Instr* user = nullptr;
    Use* next = nullptr;
    Use** prev = nullptr;
};

/// A scalar: result `index` of `def`, or argument `index` of loop region `region`.
struct Value {
    Type type = Type::Void;
    uint16_t index = 0;
    uint32_t id = 0;  // dense in the shader (Shader::value_count), stable while printing
    Instr* def = nullptr;
    Region* region = nullptr;
    Use* uses = nullptr;
    [[nodiscard]] bool has_uses() const { return uses != nullptr; }
    [[nodiscard]] bool has_one_use() const { return uses && !uses->next; }
};

enum class Storage : uint8_t { Local, Input, Output, Uniform, Sampler, Buffer, Image, Shared, UniformBlock };
enum class Precision : uint8_t { None, Low, Medium, High };
enum class Interp : uint8_t { Smooth, Flat, NoPerspective };
enum class InterpAt : uint8_t { Center, Centroid, Sample };
enum class TexDim : uint8_t { D1, D2, D3, Cube, Buffer, D2MS };

/// A variable of one scalar type: `count` components, addressed by a flat index. The front end creates one
/// Var for each leaf of a struct or of an array of structs ("lights.color": of all elements). Components of a
/// matrix are in the order of its columns, those of an array in the order of its elements.
/// A uniform block or storage buffer is one Var of type Void; `count` is the number of blocks in an array of
/// blocks. Accesses to it have byte offsets (MemInfo); members of blocks have no Vars.
struct Var {
    std::string name;  // GLSL name of the leaf, without array indices: "lights.color"
    Type type = Type::F32;
    uint32_t count = 1;  // scalar components in all
    uint32_t id = 0;
    Storage storage = Storage::Local;
    Precision precision = Precision::None;
    Interp interp = Interp::Smooth;
    InterpAt interp_at = InterpAt::Center;
    bool invariant = false;
    int location = -1;  // explicit layout(location) or, after linking, the slot
    int binding = -1;
    // Sampler and Image
    TexDim dim = TexDim::D2;
    bool arrayed = false;
    bool shadow = false;
};

/// Slots of vertex outputs and fragment inputs. Generic varyings are Varying0 + n, with four components each.
enum class VaryingSlot : uint8_t {
    Position,
    PointSize,
    ClipDist0,
    ClipDist1,
    Layer,
    ViewportIndex,
    PrimitiveId,
    Varying0
};
inline constexpr unsigned kMaxVaryings = 32;
/// Other outputs of geometry shaders before linking. EmitVertex: the number of the vertex to which subsequent
/// stores belong; StripStart: 1 if a strip begins with that vertex; VertexCount: the number of all vertices.
enum class EmitSlot : uint8_t { EmitVertex = 40, StripStart, VertexCount };
/// Slots of fragment outputs: Color0..7 (component 0-3), Depth, Stencil, SampleMask (component 0), Second:
/// the second source of blending for Color0 (component 0-3).
enum class FragSlot : uint8_t { Color0, Color7 = 7, Depth, Stencil, SampleMask, Second };

enum class Sysval : uint8_t {
    VertexId,
    InstanceId,
    BaseVertex,
    BaseInstance,
    DrawId,
    FragCoord,    // component 0-3: window x, y, z and 1/w_clip
    PointCoord,   // component 0-1, y down from the top left (GLES)
    FrontFacing,  // Bool
    SampleId,
    SamplePos,
    SampleMaskIn,
    NumSamples,  // of a pixel, 1 where it is not multisampled
    /// Component 0 x, 1 y: four bits a sample, sixteenths of a pixel from the centre, in two's complement.
    SamplePositions,
    HelperInvocation,
    PrimitiveId,
    InvocationId,   // of geometry and tessellation control shaders
    PatchVertices,  // gl_PatchVerticesIn
    TessCoord,      // component 0-2
    WorkGroupId,
    LocalInvocationId,
    LocalInvocationIndex,
    NumWorkGroups,
    LastColor0,
    LastColor7 = LastColor0 + 7,  // the colour buffer's value (framebuffer fetch): component 0-3, F32 or I32
};

/// Payload of LoadInput, LoadInputAt, LoadVarAt, StoreOutput, LoadUniform, LoadSysval, LoadVar and StoreVar.
struct IoInfo {
    uint32_t slot = 0;       // input: attribute location or VaryingSlot; output: VaryingSlot or FragSlot;
                             // uniform: dword offset in the default block; sysval: Sysval
    uint32_t component = 0;  // input/output/sysval: 0-3; LoadVar/StoreVar: constant part of the flat index
    uint32_t count = 1;      // LoadUniform with an index operand: dwords that the index may reach
    Interp interp = Interp::Smooth;
    InterpAt interp_at = InterpAt::Center;
};

enum class TexOp : uint8_t {
    Sample,
    SampleBias,
    SampleLod,
    SampleGrad,
    Fetch,
    FetchMS,
    Gather,
    Size,
    Levels,
    QueryLod
};

/// Payload of Tex. Operands, those present, in this order: coordinates (coord_count; an array layer is the
/// last of them, but QueryLod has none), compare reference (shadow), bias or lod or sample index, d/dx then
/// d/dy (Grad: coord_count without layer, each), x and y of a dynamic offset (offset_operands: of Gather
/// alone), dynamic index into the sampler array (indexed). Projective forms are divided by the front end.
/// Results: four scalars of `result` (Shadow and not Gather: one; Size: coord_count; QueryLod: two).
struct TexInfo {
    TexOp op = TexOp::Sample;
    TexDim dim = TexDim::D2;
    Type result = Type::F32;
    bool arrayed = false;
    bool shadow = false;
    bool indexed = false;
    bool offset_operands = false;
    uint8_t coord_count = 2;
    uint8_t gather_component = 0;
    int8_t offset[3] = {0, 0, 0};
    Var* var = nullptr;  // before linking
    int binding = -1;    // after linking: first sampler slot; the dynamic index is added to it
    uint32_t count = 1;  // after linking: slots that the index may reach; 1 where there is none
};

/// The index of each operand of a Tex (-1: absent) and their number. Size and Levels have no coordinates.
/// Size and Fetch have a lod unless the dimension has no levels (Buffer, D2MS). FetchMS: `lod` is the sample.
struct TexOperands {
    int coord = -1;
    int ref = -1;
    int lod = -1;
    int ddx = -1;
    int ddy = -1;
    int gradient_count = 0;  // of each of ddx and ddy
    int offset = -1;         // two of them
    int index = -1;
    int count = 0;
};
[[nodiscard]] TexOperands tex_operands(const TexInfo& t);
[[nodiscard]] unsigned tex_result_count(const TexInfo& t);

enum class MemOp : uint8_t { None, Add, IMin, IMax, UMin, UMax, And, Or, Xor, Exchange, CompareExchange };
/// GLSL's memory qualifiers.
namespace mem_flag {
inline constexpr uint8_t kCoherent = 1, kVolatile = 2, kRestrict = 4, kReadonly = 8, kWriteonly = 16,
                         kAll = 31;
}
enum class MemScope : uint8_t { None, Workgroup, Device };
/// Bits of MemInfo::memories: what a Barrier orders.
namespace mem_space {
inline constexpr uint8_t kBuffer = 1, kImage = 2, kShared = 4, kAll = 7;
}
/// OpenGL ES 3.1's image formats. None: for images that are only written.
enum class ImageFormat : uint8_t {
    None,
    Rgba32f,
    Rgba16f,
    R32f,
    Rgba8,
    Rgba8Snorm,
    Rgba32i,
    Rgba16i,
    Rgba8i,
    R32i,
    Rgba32ui,
    Rgba16ui,
    Rgba8ui,
    R32ui
};

/// Payload of LoadBuffer to ImageSize and Barrier. memory.h defines operands, results and meaning.
struct MemInfo {
    MemOp op = MemOp::None;           // of an atomic
    Storage space = Storage::Buffer;  // UniformBlock, Buffer or Shared; Image for the image operations
    uint8_t qualifiers = 0;           // mem_flag
    uint8_t words = 1;                // LoadBuffer, StoreBuffer: how many adjacent words: 1 to 4
    uint8_t element_B = 4;  // StoreBuffer: bytes of each word that are stored; drivers' own shaders: 1, 2, 4
    bool indexed = false;   // there is an operand that is added to the binding
    Var* var = nullptr;     // before linking; Shared: null
    int binding = -1;       // after linking: first slot of the stage's blocks, buffers or images; Shared: 0
    uint32_t count = 1;     // after linking: slots that the index may reach; 1 where there is none
    uint32_t offset_B = 0;  // of buffers: added to the offset operand
    // Images
    TexDim dim = TexDim::D2;
    bool arrayed = false;
    ImageFormat format = ImageFormat::None;
    // Barrier: which invocations wait; to which ones earlier writes become visible; to which memory
    MemScope execution = MemScope::None, memory = MemScope::None;
    uint8_t memories = 0;  // mem_space
};

namespace instr_flag {
inline constexpr uint8_t kExact = 1;    // precise or invariant: no reassociation, no fusing
inline constexpr uint8_t kMediump = 2;  // may be computed in 16 bits
/// Of store_output: values of 32 bits may be rounded, because the shader declares the output mediump. For
/// gl_FragColor, which has no other precision in ESSL 1.00, the values that are assigned must be mediump.
inline constexpr uint8_t kRounded = 4;
}  // namespace instr_flag

struct Instr {
    Op op = Op::Undef;
    uint8_t flags = 0;
    uint16_t operand_count = 0;
    uint16_t result_count = 0;
    uint16_t region_count = 0;
    uint32_t line = 0;          // of the GLSL text, 0 if none
    Use* operands = nullptr;    // operand_count of them
    Value** results = nullptr;  // result_count of them
    Region** regions = nullptr;
    Region* parent = nullptr;
    Instr* prev = nullptr;
    Instr* next = nullptr;
    Var* var = nullptr;  // LoadVar, StoreVar
    union Payload {
        uint64_t bits;  // Const: the value, zero extended
        IoInfo io;
        TexInfo* tex;
        MemInfo* mem;
        Payload() : bits(0) {}
    } u;

    [[nodiscard]] Value* operand(unsigned i) const { return operands[i].value; }
    [[nodiscard]] Value* result(unsigned i = 0) const { return results[i]; }
    [[nodiscard]] const OpInfo& info() const { return op_info(op); }
};

struct Region {
    Instr* first = nullptr;
    Instr* last = nullptr;
    Instr* owner = nullptr;  // the If or Loop; null for Shader::body
    Value** args = nullptr;  // Loop only
    uint16_t arg_count = 0;
    [[nodiscard]] bool empty() const { return first == nullptr; }
    /// The terminator; null if the region has none (it yields nothing).
    [[nodiscard]] Instr* terminator() const { return last && last->info().terminator() ? last : nullptr; }
};

/// Primitives that geometry and tessellation shaders read and write. Quads, Isolines: tessellation only.
enum class Shape : uint8_t {
    None,
    Points,
    Lines,
    LinesAdjacency,
    Triangles,
    TrianglesAdjacency,
    Quads,
    Isolines
};
enum class Spacing : uint8_t { Equal, FractionalEven, FractionalOdd };

/// The records of vertices that kernels of geometry and tessellation stages read and write
/// (stage_buffers.h).
struct StageRecords {
    Shape in = Shape::None;   // geometry: the primitive; tessellation evaluation: the domain
    Shape out = Shape::None;  // geometry: Points, Lines or Triangles (strips); evaluation: what is drawn
    Spacing spacing = Spacing::Equal;
    bool clockwise = false;
    uint32_t vertices_in = 0;   // of a primitive or patch; 0: set by the draw (tessellation control)
    uint32_t vertices_out = 0;  // geometry: at most; tessellation control: of a patch
    uint32_t invocations = 1;   // geometry: of a primitive
    uint64_t slots_in = 0, slots_out = 0;  // VaryingSlots of a vertex's record, four dwords each, ascending
    uint32_t patch_rows = 0;               // of a patch's own record, four dwords each
    bool operator==(const StageRecords&) const = default;
};

/// Facts about a shader for drivers; shaders/passes/gather_info.h computes them.
struct ShaderInfo {
    uint64_t inputs_read = 0;      // bit per attribute location / VaryingSlot
    uint64_t outputs_written = 0;  // bit per VaryingSlot / FragSlot
    uint32_t sampler_count = 0;    // sampler slots used
    uint32_t uniform_dw = 0;       // dwords of the default block
    bool uses_discard = false;
    bool uses_derivatives = false;  // fddx..., or Tex with an implicit LOD
    bool uses_front_facing = false;
    bool uses_point_coord = false;
    bool uses_frag_coord = false;
    bool reads_color = false;  // any LastColor
    bool writes_depth = false;
    bool writes_memory = false;  // storage buffers or images
    bool early_fragment_tests = false;
    uint32_t blend_equations = 0;  // layout(blend_support_...): a bit for each pipe::AdvancedBlend
    bool uses_barriers = false;    // at which invocations of a workgroup wait
    // One bit per slot.
    uint32_t uniform_blocks_read = 0;
    uint32_t buffers_read = 0, buffers_written = 0;
    uint32_t images_read = 0, images_written = 0;
    uint32_t shared_B = 0;  // of a workgroup; set by the linker or front end, as is workgroup_size
    uint32_t workgroup_size[3] = {1, 1, 1};
    StageRecords records;  // set by the linker
    bool operator==(const ShaderInfo&) const = default;
};

class Shader {
  public:
    explicit Shader(Stage stage, std::pmr::memory_resource* upstream = std::pmr::get_default_resource());
    ~Shader();
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;

    Stage stage;
    Region* body;
    ShaderInfo info;
    [[nodiscard]] const std::vector<Var*>& vars() const { return vars_; }
    [[nodiscard]] uint32_t value_count() const { return value_count_; }

    /// A new variable; ids are dense and in the order of creation.
    Var* add_var(std::string name, Type type, uint32_t count, Storage storage);
    /// Removes variables for which `keep` returns false, and renumbers the others. No instruction may refer
    /// to a removed one.
    void remove_vars(bool (*keep)(const Var&));

    /// A detached instruction with new results of these types. Operands must not be null. See insert_*.
    Instr* create(Op op, std::span<Value* const> operands, std::span<const Type> result_types,
                  unsigned regions = 0);
    Region* create_region(Instr* owner, std::span<const Type> args = {});
    /// Appends an argument to a loop's region only, while the loop is built. Otherwise use add_loop_arg().
    Value* add_region_arg(Region* r, Type t);
    TexInfo* create_tex(const TexInfo& init);
    MemInfo* create_mem(const MemInfo& init);
    /// Adds an argument to a Loop, initially `init`. The caller adds an operand to each continue.
    Value* add_loop_arg(Instr* loop, Value* init);
    /// Adds a result to an If or Loop. The caller adds an operand to its terminators. Value pointers stay
    /// valid.
    Value* add_result(Instr* instr, Type type);
    void add_operand(Instr* instr, Value* v);
    /// Remove operand, result or loop argument i. The result or argument must have no uses.
    void remove_operand(Instr* instr, unsigned i);
    void remove_result(Instr* instr, unsigned i);
    void remove_loop_arg(Instr* loop, unsigned i);
    /// Removes only the argument: the loop's operand for it was removed before.
    void remove_region_arg(Region* r, unsigned i);
    /// Remove those with false in `keep`. Return whether any was removed.
    bool keep_operands(Instr* instr, const std::vector<bool>& keep);
    bool keep_results(Instr* instr, const std::vector<bool>& keep);
    bool keep_region_args(Region* r, const std::vector<bool>& keep);

    /// Renumbers values densely in program order.
    void renumber();
    /// Makes sure that values created from now on get ids of at least `count`.
    void reserve_value_ids(uint32_t count) { value_count_ = value_count_ < count ? count : value_count_; }
    [[nodiscard]] std::pmr::memory_resource* arena() { return &arena_; }

  private:
    std::pmr::monotonic_buffer_resource arena_;
    std::vector<Var*> vars_;
    uint32_t value_count_ = 0;
};

// Lists and uses. An instruction is in at most one region.
void append(Region* r, Instr* i);
void insert_before(Instr* pos, Instr* i);
void insert_after(Instr* pos, Instr* i);
/// Removes it from its region. It keeps its operands and can be inserted elsewhere.
void detach(Instr* i);
/// Removes it and its regions, with their uses of other values. Its results must have no uses.
void erase(Instr* i);
/// Moves every instruction of `from` to the end of `to`.
void splice(Region* to, Region* from);
void set_operand(Instr* i, unsigned n, Value* v);
void replace_uses(Value* from, Value* to);

/// The Loop that a break or continue at this place would leave; null outside.
[[nodiscard]] Instr* enclosing_loop(const Instr* i);
[[nodiscard]] inline bool is_const(const Value* v) {
    return v->def && v->def->op == Op::Const;
}
[[nodiscard]] inline uint64_t const_bits(const Value* v) {
    return v->def->u.bits;
}
[[nodiscard]] inline float const_f32(const Value* v) {
    return std::bit_cast<float>(uint32_t(v->def->u.bits));
}

/// A deep copy (a new arena).
[[nodiscard]] std::unique_ptr<Shader> clone(const Shader& s);

}  // namespace terrazzo::ir

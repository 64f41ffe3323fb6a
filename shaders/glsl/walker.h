// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Translates glslang's tree to IR. A GLSL value is the list of its scalars (see type.h). A variable that is
// written once, before all its reads, is its value; other variables are Vars, which passes convert to SSA.
// Functions are inlined. One class, whose methods are split over files by family:
//   walker.cpp       entry, symbols, constants, errors  place.cpp       variables: read, write, index
//   expression.cpp   operators and assignment           arithmetic.cpp  vectors and matrices
//   constructor.cpp  constructors                      builtin.cpp, math.cpp, texture.cpp  built-in functions
//   function.cpp     calls                               control.cpp, switch.cpp             statements
//   interface.cpp    attributes, varyings, uniforms, outputs    io_block.cpp    blocks of inputs and outputs
//   block.cpp        blocks, counters, shared memory   block_access.cpp    reads and writes of them
//   memory.cpp       atomics, images, barriers
//   stage_io.cpp     inputs and outputs of geometry and tessellation stages
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "shaders/compile.h"
#include "shaders/glsl/ast.h"
#include "shaders/glsl/block.h"
#include "shaders/glsl/scan.h"
#include "shaders/glsl/type.h"
#include "shaders/glsl/vals.h"
#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"

namespace terrazzo::shaders::glsl {

using ir::Op;
using ir::Value;
/// A variable's storage: one Var per leaf of its type.
struct Object {
    const Type* type = nullptr;
    std::vector<ir::Var*> vars;
    const Block* block = nullptr;  // not null: in a block or shared memory; there are no Vars
    ir::ImageFormat format = ir::ImageFormat::None;  // images only
    uint8_t qualifiers = 0;                          // images only: ir::mem_flag
    bool is_block = false;                           // of inputs or outputs
    /// Inputs and outputs of geometry and tessellation stages that are accessed without a copy
    /// (stage_io.cpp). per_vertex: `type` is that of one vertex.
    bool direct = false, per_vertex = false;
};

struct Step {
    uint32_t constant = 0;
    Value* dynamic = nullptr;  // in range
};

/// Up to four components of a vector.
class Swizzle {
  public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] uint32_t size() const { return size_; }
    [[nodiscard]] uint8_t operator[](uint32_t i) const { return component_[i]; }
    void push_back(uint8_t c) {
        if (size_ < 4) component_[size_++] = c;
    }

  private:
    uint8_t component_[4] = {}, size_ = 0;
};

/// A variable or a part of it.
struct Place {
    const Type* type = nullptr;  // of the part
    const Object* object = nullptr;
    uint32_t first_leaf = 0;
    std::vector<Step> steps;  // one for each array dimension entered
    int column = -1;          // of a matrix
    Value* column_dynamic = nullptr;
    Swizzle swizzle;                     // empty: the whole vector
    Value* component_dynamic = nullptr;  // in `swizzle`
    Value* vertex = nullptr;             // for an object of each vertex
};

/// Bytes of a block.
struct BlockPlace {
    const Block* block = nullptr;
    Value* index = nullptr;  // for an array of blocks
    uint32_t offset_B = 0;
    Value* dynamic = nullptr;  // added to the offset; may be null
};

/// The common properties of the members of a block of inputs or outputs, by member.
struct BlockMembers {
    /// With an instance name, the block's name precedes their names. Built-in ones never have it.
    enum class Naming : uint8_t { None, Instance, NoInstance, BuiltIn } naming = Naming::None;
    std::vector<InterfaceVar> patterns;
};

/// Consecutive words and their GLSL type.
struct WordRun {
    BlockPlace at;
    unsigned count = 1;
    Base base = Base::Float;
};

struct Binding {
    enum class Kind : uint8_t { None, Storage, Value, Alias, Sysval } kind = Kind::None;
    Object* object = nullptr;
    Vals values;
    Place place;
    ir::Sysval sysval{};
    const Object* input = nullptr;  // of an input: its variables; `object` may be a copy of them
};

/// How a statement ends.
enum class Flow : uint8_t {
    Next,      // control continues after it
    Gone,      // never: a break or continue was emitted
    Returned,  // never: the function has returned (not in a loop)
    Maybe,     // the function may have returned: the frame's flag says so
};

/// A function that is being inlined.
struct Frame {
    Function* function = nullptr;
    const Type* result_type = nullptr;
    Object* result = nullptr;  // null: the value is that of the last statement
    Vals value;
    Object* returned = nullptr;  // Bool; null: no early return
    unsigned loops = 0;          // loops around the current place, in this function
    unsigned wrapper = 0;        // 1 if the outermost loop is not in the text and only left by a return
    [[nodiscard]] bool in_loop() const { return loops > wrapper; }
};

/// The loop or switch around the current place, for break and continue.
struct LoopScope {
    bool is_switch = false;                 // a Loop with one iteration
    glslang::TIntermTyped* test = nullptr;  // do-while: evaluated at each continue
    glslang::TIntermTyped* terminal = nullptr;
    Object* continued = nullptr;   // switch: set if a continue leaves it
    unsigned discards_before = 0;  // discards_ at the loop's beginning
};

/// An output that is a local variable until it is stored.
struct Shadow {
    Object* local;
    Object* output;
    uint64_t elements;
    bool whole;
    bool mediump = false;  // a colour whose assigned values may all be rounded to 16 bits
};

class Walker {
  public:
    Walker(Scan& scan, CompiledShader& out, const CompileOptions& options, std::string& log)
        : scan_(scan), out_(out), options_(options), log_(log), sh_(*out.ir), b_(*out.ir) {}
    /// gl_FragColor is the colour of all draw buffers, not only of the first.
    void set_broadcast_color(bool on) { broadcast_color_ = on; }
    /// Source::fetched_outputs.
    void set_fetched_outputs(std::span<const std::string> names) { fetched_outputs_ = names; }
    bool run(TIntermNode* root);

  private:
    // --- walker.cpp
    void fail(int line, const std::string& message);
    [[nodiscard]] bool failed() const { return failed_; }
    bool over_budget(const TIntermNode* n);
    bool count_moves(uint64_t accesses, uint64_t copies);
    const Type* type_of(const glslang::TIntermTyped* n);
    const Type* convert_type(const glslang::TType& t, int line);
    Vals undefined(const Type* t);
    Value* constant(ir::Type t, uint64_t bits);
    Value* f32(float v) { return constant(ir::Type::F32, std::bit_cast<uint32_t>(v)); }
    Value* i32(int32_t v) { return constant(ir::Type::I32, uint32_t(v)); }
    Value* boolean(bool v) { return constant(ir::Type::Bool, v); }
    Value* zero(ir::Type t) { return constant(t, 0); }
    Vals constants(const glslang::TConstUnionArray& a, const Type* t);
    void constants_into(const glslang::TConstUnionArray& a, const Type* t, size_t& pos,
                        std::span<std::vector<Value*>> leaves);
    Object* local(const std::string& name, const Type* t);
    Object* local_bool(const char* name);
    Binding& binding(glslang::TIntermSymbol* s);
    Vals read_symbol(glslang::TIntermSymbol* s);
    void bind_builtin(glslang::TIntermSymbol* s, Binding& b);
    void bind_global_invocation(glslang::TIntermSymbol* s, Binding& b);
    /// New instructions get the node's line and precision.
    void at(const TIntermNode* n);
    void at(const glslang::TIntermOperator* n);
    void plain_flags() { b_.flags = exact_; }
    template <typename F>
    void in_prologue(F&& f);

    // --- place.cpp
    bool place_of(glslang::TIntermTyped* n, Place& p);
    void enter(Place& p, glslang::TIntermBinary* n);
    Value* clamped_index(glslang::TIntermTyped* n, uint32_t size);
    void offset_of(const Place& p, uint32_t leaf, uint32_t& constant, Value*& dynamic);
    Value* add_index(Value* dynamic, Value* index, uint32_t stride);
    Vals load(const Place& p);
    void store(const Place& p, const Vals& v);
    Value* load_var(const Place& p, ir::Var* v, uint32_t at, Value* dynamic);
    void store_var(const Place& p, ir::Var* v, uint32_t at, Value* value, Value* dynamic);
    bool has_vertex(const Place& p);
    Vals load_basic(const Place& p);
    void store_basic(const Place& p, const Vals& v);
    Vals load(const Object* o);
    void store(const Object* o, const Vals& v);
    Value* load_bool(const Object* o) { return b_.load_var(o->vars[0], 0); }
    void store_bool(const Object* o, bool v) { b_.store_var(o->vars[0], 0, boolean(v)); }
    Vals index_value(glslang::TIntermBinary* n);
    Vals index_array(const Vals& v, const Type* t, uint32_t index);
    Value* pick(std::span<Value* const> from, Value* index);
    Object* spill(const Vals& v, const Type* t);

    // --- block.cpp
    void declare_block(glslang::TIntermSymbol* s);
    void declare_counter(glslang::TIntermSymbol* s);
    void declare_shared(glslang::TIntermSymbol* s);
    void bind_block(glslang::TIntermSymbol* s, const Type* t, const Block& b);
    bool check_binding(glslang::TIntermSymbol* s, uint32_t count, int limit, const char* what);

    // --- block_access.cpp
    Vals load_block(const Place& p);
    void store_block(const Place& p, const Vals& v);
    std::vector<WordRun> list_runs(const Place& p);
    void list_components(const Place& p, BlockPlace at, std::vector<WordRun>& runs);
    void load_run(const WordRun& run, Vals& out);
    void store_run(const WordRun& run, std::span<Value* const> values);
    BlockPlace block_place(const Place& p, uint32_t leaf);
    ir::MemInfo block_access(const BlockPlace& at, Vals* operands);
    ir::Instr* emit_memory(Op op, const ir::MemInfo& m, const Vals& operands, ir::Type result);
    Vals unsized_length(const Place& p);

    // --- memory.cpp
    static bool is_memory_function(glslang::TOperator op, std::span<glslang::TIntermTyped* const> args);
    Vals memory_function(glslang::TIntermOperator* n, glslang::TOperator op,
                         std::span<glslang::TIntermTyped* const> args);
    Vals atomic_function(glslang::TIntermOperator* n, glslang::TOperator op, const Place& p,
                         std::span<Vals> a);
    Vals image_function(glslang::TIntermOperator* n, glslang::TOperator op, const Place& p,
                        std::span<Vals> a);
    void barrier(glslang::TOperator op);

    // --- expression.cpp
    Vals eval(glslang::TIntermTyped* n);
    Value* eval_scalar(glslang::TIntermTyped* n);
    Vals eval_binary(glslang::TIntermBinary* n);
    Vals eval_operator(glslang::TIntermBinary* n, const Vals& left);
    Vals eval_unary(glslang::TIntermUnary* n);
    Vals eval_aggregate(glslang::TIntermAggregate* n);
    Vals eval_select(glslang::TIntermSelection* n);
    static constexpr uint32_t kMaxResults = 4096;
    Vals select_in_memory(glslang::TIntermSelection* n, Value* condition, glslang::TIntermTyped* yes,
                          glslang::TIntermTyped* no);
    Vals eval_assign(glslang::TIntermBinary* n);
    Vals eval_increment(glslang::TIntermUnary* n);
    Vals eval_logical(glslang::TIntermBinary* n, Value* left);
    Vals eval_sequence(glslang::TIntermAggregate* n);
    Vals binary(glslang::TOperator op, const Vals& a, const Type* ta, const Vals& b, const Type* tb);
    Value* compare(glslang::TOperator op, Base base, Value* a, Value* b);
    Value* equal(bool equal, const Vals& a, const Vals& b, const Type* t);
    Value* convert(Value* v, Base from, Base to);

    // --- arithmetic.cpp
    /// a op b of vectors, scalars or matrices, component by component (scalars are repeated).
    Vals arithmetic(glslang::TOperator op, const Vals& a, const Type* ta, const Vals& b, const Type* tb);
    Value* arithmetic(glslang::TOperator op, Base base, Value* a, Value* b);
    Vals matrix_vector(const Vals& m, const Type* tm, const Vals& v);
    Vals vector_matrix(const Vals& v, const Vals& m, const Type* tm);
    Vals matrix_matrix(const Vals& a, const Type* ta, const Vals& b, const Type* tb);
    Value* dot(std::span<Value* const> a, std::span<Value* const> b);
    Vals transpose(const Vals& m, const Type* t);
    using Minors = std::array<Value*, 256>;
    Value* minor(Minors& known, std::span<Value* const> m, unsigned n, unsigned columns, unsigned rows);
    Value* determinant(std::span<Value* const> m, unsigned n);
    Vals inverse(const Vals& m, unsigned n);

    // --- constructor.cpp
    Vals eval_constructor(glslang::TIntermAggregate* n);
    Vals construct_matrix(const Type* t, const std::vector<Vals>& args,
                          const std::vector<const Type*>& types);
    Vals construct_aggregate(const Type* t, const std::vector<Vals>& args);

    // --- builtin.cpp, math.cpp
    Vals interpolate_at(glslang::TIntermOperator* n, glslang::TOperator op,
                        std::span<glslang::TIntermTyped* const> args);
    Vals eval_builtin(glslang::TIntermOperator* n, glslang::TOperator op,
                      std::span<glslang::TIntermTyped* const> args);
    bool common_function(glslang::TOperator op, std::span<Vals> a, const Type* t, Vals& r);
    bool geometric_function(glslang::TOperator op, std::span<Vals> a, const Type* t, Vals& r);
    bool math_function(glslang::TOperator op, std::span<Vals> a, Vals& r);
    bool integer_function(glslang::TOperator op, std::span<Vals> a, const Type* t, Vals& r);
    bool pack_function(glslang::TOperator op, std::span<Vals> a, Vals& r);
    Vals eval_out_function(glslang::TIntermAggregate* n);
    template <typename F>
    Vals each(std::span<Vals> a, F&& f);
    Value* mix(Value* a, Value* b, Value* t);
    Value* math_tan(Value* x);
    Value* math_atan(Value* x);
    Value* math_atan2(Value* y, Value* x);
    Value* asin_core(Value* a);
    Value* math_asin(Value* x);
    Value* math_acos(Value* x);
    Value* math_exp(Value* x);
    Value* math_log(Value* x);
    Value* math_sinh(Value* x);
    Value* math_tanh(Value* x);
    Value* math_asinh(Value* x);
    Value* math_acosh(Value* x);
    Value* math_atanh(Value* x);
    Value* polynomial(Value* x, std::span<const float> coefficients);
    Value* with_sign_of(Value* magnitude, Value* sign);

    // --- texture.cpp
    Vals eval_texture(glslang::TIntermAggregate* n);
    /// `lod` may be null.
    Vals texture_query(glslang::TIntermTyped* n, glslang::TOperator op, glslang::TIntermTyped* sampler,
                       glslang::TIntermTyped* lod);
    Vals emit_texture(int line, const Place& sampler, ir::TexInfo info, Vals operands, uint8_t flags);
    Vals gather(int line, const Place& sampler, ir::TexInfo info, Vals operands,
                const std::vector<Vals>& args, bool offset, bool offsets);

    // --- control.cpp
    Flow statement(TIntermNode* n);
    Flow sequence(const glslang::TIntermSequence& s, size_t first = 0);
    Flow guarded(const glslang::TIntermSequence& s, size_t first);
    Flow selection(glslang::TIntermSelection* n, const glslang::TIntermSequence* rest = nullptr,
                   size_t first = 0);
    Flow go_on(Flow f, const glslang::TIntermSequence* rest, size_t first);
    Flow loop(glslang::TIntermLoop* n);
    Flow after_loop(uint8_t flags, unsigned discards_before);
    Flow branch(glslang::TIntermBranch* n);
    void do_continue();
    Flow do_discard(Value* condition);
    void break_if(Value* condition);
    bool too_deep(const TIntermNode* n);
    template <typename Then>
    void if_then(Value* condition, Then&& then);

    // --- switch.cpp
    struct CaseGroup {
        std::vector<glslang::TIntermTyped*> labels;
        bool is_default = false;
        std::vector<TIntermNode*> statements;
    };
    Flow switch_statement(glslang::TIntermSwitch* n);
    static constexpr size_t kMaxChainedCases = 32;
    Flow switch_chain(std::span<CaseGroup> groups, Value* selector);
    Flow switch_row(std::span<CaseGroup* const> order, Value* selector);
    Flow switch_loop(std::span<CaseGroup> groups, Value* selector, uint8_t flags);
    bool split_off_break(CaseGroup& g, bool last);
    Value* matches(const CaseGroup& g, Value* selector);
    Flow statements(std::span<TIntermNode* const> s);

    // --- function.cpp
    Vals eval_call(glslang::TIntermAggregate* n);
    static constexpr unsigned kMaxNestedReturns = 16;
    Vals inline_body(Frame& frame);
    void returning_loop(const glslang::TIntermSequence& s);
    Flow do_return(glslang::TIntermBranch* n);

    // --- interface.cpp
    /// Limits for each list of the interface, and for the names and declarations of all of them together.
    static constexpr size_t kMaxInterfaceLines = 65536;
    static constexpr uint64_t kMaxInterface_B = 64u << 20;
    void fail_interface(int line);
    void declare_interface();
    void declare_symbol(glslang::TIntermSymbol* s);
    Object* declare_object(glslang::TIntermSymbol* s, const Type* t, ir::Storage storage);
    ir::Var* declare_leaf(const std::string& name, const Leaf& l, const glslang::TQualifier& q,
                          ir::Storage storage);
    void list_leaves(std::vector<InterfaceVar>& list, const InterfaceVar& pattern, const Object& o,
                     const BlockMembers& members = {});
    void list_builtin(std::vector<InterfaceVar>& list, glslang::TIntermSymbol* s, ir::Var* v);
    InterfaceVar describe(glslang::TIntermSymbol* s, const Type* t);
    void set_qualifiers(InterfaceVar& v, const glslang::TQualifier& q, const std::string& name);
    void bind_input(glslang::TIntermSymbol* s, const Type* t);
    void bind_input(glslang::TIntermSymbol* s, Object* o);
    void bind_output(glslang::TIntermSymbol* s, const Type* t);
    void bind_view(glslang::TIntermSymbol* s);
    void bind_sample_mask_in(glslang::TIntermSymbol* s, Binding& b);
    bool fetch_output(glslang::TIntermSymbol* s, const Object* o);
    bool bind_stand_in(glslang::TIntermSymbol* s, const Type* t);
    /// gl_ClipDistance and gl_CullDistance outside of blocks (EXT_clip_cull_distance): distances.cpp.
    static bool is_distance(glslang::TIntermSymbol* s);
    static const char* distance_name(glslang::TIntermSymbol* s);
    void size_distances(glslang::TIntermSymbol* s, std::vector<InterfaceVar>& list);
    bool check_distance(glslang::TIntermSymbol* s);
    void check_distance_sizes();
    void store_outputs();
    void store_output(const Shadow& s);

    // --- stage_io.cpp
    void declare_stage_io(glslang::TIntermSymbol* s);
    void bind_stage_sysval(glslang::TIntermSymbol* s, Binding& b);
    bool is_direct(const glslang::TQualifier& q) const;
    Value* load_direct(const Place& p, ir::Var* v, uint32_t at, Value* dynamic);
    void store_direct(const Place& p, ir::Var* v, uint32_t at, Value* value, Value* dynamic);
    void begin_emitting();
    void emit_vertex();
    void end_primitive();
    void finish_emitting();

    // --- io_block.cpp
    void declare_io_block(glslang::TIntermSymbol* s);
    Object* declare_block_object(glslang::TIntermSymbol* s, const Type* t, ir::Storage storage);
    BlockMembers describe_members(glslang::TIntermSymbol* s, const Type* t);
    void note_used_members();

    Scan& scan_;
    CompiledShader& out_;
    const CompileOptions& options_;
    bool broadcast_color_ = false;
    std::span<const std::string> fetched_outputs_;
    std::string& log_;
    ir::Shader& sh_;
    ir::Builder b_;
    TypeTable types_;
    std::deque<Object> objects_;
    std::deque<Block> blocks_;
    std::map<int, ir::Var*> counter_buffers_;  // by binding
    std::unordered_map<long long, Binding> bindings_;
    std::map<std::pair<ir::Type, uint64_t>, Value*> constants_;
    std::map<std::pair<const Type*, std::vector<Value*>>, Object*> spilled_constants_;
    ir::Instr* anchor_ = nullptr;  // the prologue ends before it
    std::vector<Shadow> outputs_;
    std::vector<std::pair<ir::Var*, ir::Var*>> built_in_members_;  // of blocks, with their locals
    // For geometry shaders: locals, and outputs for the linker.
    Object *emitted_ = nullptr, *strip_starts_ = nullptr;
    ir::Var *emit_var_ = nullptr, *strip_var_ = nullptr, *count_var_ = nullptr;
    std::vector<ir::Instr*> emits_;              // outputs are stored before each of these
    std::unordered_set<const ir::Var*> stored_;  // variables that the shader writes
    std::vector<LoopScope> loops_;
    Frame* frame_ = nullptr;
    Object* discarded_ = nullptr;  // Bool: set if discard leaves a loop
    unsigned discards_ = 0;        // discards so far that set a flag
    unsigned nodes_ = 0, depth_ = 0;
    uint64_t accesses_ = 0, copies_ = 0;  // of scalars, so far
    uint64_t interface_B_ = 0;            // the size of names in the lists
    uint8_t exact_ = 0;
    bool failed_ = false;
    bool in_prologue_ = false;
};

[[nodiscard]] bool has_instance_name(const glslang::TIntermSymbol* s);
/// The variables that the region loads or stores; `op`: LoadVar or StoreVar.
[[nodiscard]] std::unordered_set<const ir::Var*> accessed_vars(const ir::Region* r, Op op);
/// ir::mem_flag.
[[nodiscard]] uint8_t memory_qualifiers(const glslang::TQualifier& q);

/// Opens an arm of an If or a Loop's body; the destructor returns to the previous place.
class RegionScope {
  public:
    RegionScope(ir::Builder& b, ir::Region* r) : b_(b), saved_(b.region()) { b_.set_end(r); }
    ~RegionScope() { b_.set_end(saved_); }
    RegionScope(const RegionScope&) = delete;
    RegionScope& operator=(const RegionScope&) = delete;

  private:
    ir::Builder& b_;
    ir::Region* saved_;
};

template <typename F>
void Walker::in_prologue(F&& f) {
    if (in_prologue_) return f();
    in_prologue_ = true;
    ir::Region* saved = b_.region();
    const uint8_t flags = b_.flags;
    const uint32_t line = b_.line;
    b_.flags = 0;
    b_.line = 0;
    b_.set_before(anchor_);
    f();
    b_.flags = flags;
    b_.line = line;
    b_.set_end(saved);
    in_prologue_ = false;
}

/// Component by component; scalars are repeated.
template <typename F>
Vals Walker::each(std::span<Vals> a, F&& f) {
    size_t n = 0;
    for (const Vals& v : a)
        n = std::max(n, v.size());
    Vals r;
    for (size_t i = 0; i < n; ++i) {
        Value* x[4] = {};
        for (size_t k = 0; k < a.size() && k < 4; ++k)
            x[k] = a[k][a[k].size() == 1 ? 0 : i];
        r.push_back(f(x));
    }
    return r;
}

template <typename Then>
void Walker::if_then(Value* condition, Then&& then) {
    ir::Instr* i = b_.begin_if(condition);
    RegionScope scope(b_, i->regions[0]);
    then();
}

}  // namespace terrazzo::shaders::glsl

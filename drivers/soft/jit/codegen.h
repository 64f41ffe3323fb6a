// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader IR to LLVM IR, 4, 8 or 16 lanes (invocations) at once. Private to jit/.
//
// A value is a vector: F32 <8 x float>, I32 <8 x i32>, I64 <8 x i64>; I16 and F16 as zero-extended bits in <8
// x i32>; Bool as <8 x i32> of 0 and -1, the result of comparisons and the operand of blends on x86. In
// divergent control flow, exec_ is the mask of the running lanes. Results of If and Loop, loop arguments and
// other variables are allocas of the entry block, which LLVM's SROA converts to SSA. Data that cannot become
// SSA is in the areas of the arguments, never on the stack.
//
// A fragment function loops over the groups of lanes of its batch. Its blocks are entry (runs once; loads
// uniforms), run (once for each run of groups of the same primitive; loads planes), head (begins each group),
// body, end, and a branch back to head or run. A vertex function has the same blocks without run. A similar
// loop may precede it: it computes the coordinates of textures that are sampled for all blocks at once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "drivers/soft/interp/lane_uniformity.h"
#include "drivers/soft/interp/tex_groups.h"
#include "drivers/soft/jit/runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace terrazzo::soft::jit {

struct Features {
    bool rounding = false;  // floor and similar operations are instructions
    bool fma = false;
};

class Codegen {
  public:
    Codegen(llvm::Module& module, const ir::Shader& shader, const CompiledShader& info,
            const Features& features, unsigned lanes);
    /// Null: the function is complete; otherwise why it could not be generated.
    const char* run(const char* function_name);

  private:
    using V = llvm::Value*;
    struct LoopState {
        std::vector<llvm::AllocaInst*> args, results;
        llvm::AllocaInst *remaining = nullptr, *active = nullptr;
        bool one_continue = false;
        bool alike = false;  // leaves_alike(): `remaining` and `active` do not change
        llvm::BasicBlock *latch = nullptr, *exit = nullptr;
        LoopState* outer = nullptr;
    };

    // codegen.cpp
    void start(const char* function_name);
    void start_vertices(llvm::BasicBlock* body);
    [[nodiscard]] bool rows_are_full() const;
    void start_invocations(llvm::BasicBlock* body);
    void start_rows(uint64_t count_B, llvm::BasicBlock* body);
    V lanes_before();
    void start_batch(llvm::BranchInst* from, llvm::BasicBlock* body);
    void start_run(V count);
    void next_group();
    void store_mask(V gone);
    /// 4 lanes: the index of the quad's first lane in its block, 0 or 4 (i32).
    V quad_shift() { return b_.CreateShl(b_.CreateAnd(b_.CreateTrunc(group_, i32_), 1), 2); }
    void finish();
    void finish_vertex();
    void next_rows();
    void finish_fragment();
    void instr(const ir::Instr& i);
    llvm::AllocaInst* alloca_of(llvm::Type* t, uint32_t count = 1, unsigned align_B = 32);
    llvm::AllocaInst* variable(llvm::Type* t);  // an alloca of one value, initially zero
    /// Reserves memory of the work area for called functions, aligned to kAreaAlign_B. The caller checks
    /// has_room() if it may need a lot; single calls always have room.
    V reserve(uint64_t size_B);
    [[nodiscard]] bool has_room(uint64_t size_B) const {
        return size_B + kSingleCalls_B <= kWorkArea_B - work_used_B_;
    }
    void start_arrays();
    void mark_arrays();
    V at(V pointer, uint64_t offset_B);
    V load(llvm::Type* t, V pointer, uint64_t offset_B, unsigned align_B, bool invariant = true);
    void store(V value, V pointer, uint64_t offset_B, unsigned align_B);
    V splat(V scalar);
    V splat_i32(uint32_t v) { return b_.CreateVectorSplat(lanes_, b_.getInt32(v)); }
    V splat_f32(float v) { return b_.CreateVectorSplat(lanes_, llvm::ConstantFP::get(f32_, v)); }
    llvm::Type* type_of(ir::Type t) const;
    V constant(ir::Type t, uint64_t bits);
    V as_words(V v, ir::Type t);    // <8 x i32> or <8 x i64>
    V from_words(V v, ir::Type t);  // the inverse
    V as_float(V v) { return b_.CreateBitCast(v, f32v_); }
    V as_int(V v) { return b_.CreateBitCast(v, i32v_); }
    V value(const ir::Value* v) const { return values_[v->id]; }
    V operand(const ir::Instr& i, unsigned n) const { return value(i.operand(n)); }
    void set(const ir::Instr& i, V v, unsigned result = 0) { values_[i.result(result)->id] = v; }

    // codegen_flow.cpp
    V mask_of(V i1_vector) { return b_.CreateSExt(i1_vector, i32v_); }
    V test(V mask) { return b_.CreateICmpSLT(mask, llvm::Constant::getNullValue(i32v_)); }
    V bits(V mask);  // i32, a bit per lane
    V any(V mask);
    V lanes_of(V bits);
    V blend(V mask, V then_value, V else_value) {
        return b_.CreateSelect(test(mask), then_value, else_value);
    }
    void region(const ir::Region& r, llvm::BasicBlock* bail);
    void branch(const ir::Instr& i);
    void arm(const ir::Instr& i, unsigned n, V mask, const std::vector<llvm::AllocaInst*>& results);
    void arm_of_all(const ir::Instr& i, unsigned n, V taken, const std::vector<llvm::AllocaInst*>& results);
    [[nodiscard]] bool leaves_alike(const ir::Region& r) const;
    void loop(const ir::Instr& i);
    void end_loop(llvm::BasicBlock* exit);
    void start_budget();
    V is_stopped();
    V look_sometimes(V left, uint32_t turns);
    void leave(const ir::Instr& i);
    void discard(const ir::Instr& i);
    void leave_when_all_are_discarded();
    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(c_, name, function_); }

    // codegen_alu.cpp
    V alu(const ir::Instr& i);
    V float_op(const ir::Instr& i);
    V int_op(const ir::Instr& i);
    V compare_op(const ir::Instr& i);
    V convert_op(const ir::Instr& i);
    V divide(ir::Op op, V a, V b);
    V derivative(ir::Op op, V a);
    V intrinsic(unsigned id, std::initializer_list<V> operands, std::initializer_list<llvm::Type*> types);
    V kernel_call(const ir::Instr& i);

    // codegen_io.cpp
    /// A value for the block of this group, or (16 lanes) for its two blocks.
    struct PerBlock {
        V of[2] = {};
    };
    PerBlock blocks_of(V group);
    PerBlock blocks_load(llvm::Type* t, uint64_t array_B, const PerBlock& blocks, bool invariant = true);
    V spread(const PerBlock& scalars);                                 // each block's scalar in its lanes
    V member(llvm::Type* t, const PerBlock& base, uint64_t offset_B);  // loaded once per run
    V corner(unsigned axis);                                           // of the pixels, px
    // The fragments' positions in the pixels, px.
    V pixel(unsigned axis);
    V plane_over(V x, V y, const PerBlock& base, uint64_t offset_B);  // x, y: relative to the planes' origin
    V plane(const PerBlock& base, uint64_t offset_B);
    V perspective();
    template <class Make>
    V when(llvm::Instruction* place, V condition, Make&& make, V otherwise);
    V varyings(unsigned n);
    V load_input(const ir::IoInfo& io);
    V load_input_at(const ir::Instr& i);
    PerBlock planes();
    unsigned index_of(unsigned slot) const;
    V local_id(unsigned n);
    V load_sysval(const ir::IoInfo& io);
    V load_uniform(const ir::Instr& i);
    void store_output(const ir::Instr& i);
    V load_var(const ir::Instr& i);
    void store_var(const ir::Instr& i);
    V element(const ir::Instr& i, unsigned index_operand);

    // codegen_buffer.cpp
    /// A uniform block's range, loaded once per call.
    struct BlockRange {
        V data = nullptr, size_B = nullptr;
    };
    const BlockRange& block_range(int binding);
    const BlockRange& storage_range(const ir::MemInfo& m);
    void memory(const ir::Instr& i);
    void load_block(const ir::Instr& i);
    void load_block_uniform(const ir::Instr& i);
    void load_block_lanes(const ir::Instr& i);
    void call_memory(const ir::Instr& i);
    void barrier(const ir::Instr& i);

    // codegen_storage.cpp
    /// The target of an access: each lane's offset, rounded down to a word, and the facts known at compile
    /// time.
    struct Place {
        const BlockRange& range;
        V at;
        std::optional<uint32_t> step;
        bool within;  // in lanes that run, the access is known to be inside
    };
    Place place_of(const ir::Instr& i);
    V in_order(const Place& p);
    V within(const BlockRange& range, V at, unsigned word);
    V row_within(const Place& p, V first, unsigned words);
    V word_at(const BlockRange& range, V offset_B);
    V load_scalar(const Place& p, V at, unsigned word);
    V gather(V places, V there);
    V load_each(const Place& p, unsigned word);
    V load_row(const Place& p);
    void load_rows(const ir::Instr& i, const Place& p);
    void load_storage(const ir::Instr& i);
    void split_words(V all, unsigned words, V* to);
    V join_words(const V* from, unsigned words);
    void stored_words(const ir::Instr& i, const Place& p, V* words, V* masks);
    void store_rows(const ir::Instr& i, const Place& p);
    void scatter(const ir::Instr& i, const Place& p);
    void store_storage(const ir::Instr& i);
    V exchange(const ir::MemInfo& m, V to, V v);
    void atomic_storage(const ir::Instr& i);

    // codegen_image.cpp
    struct Image {
        V data = nullptr, sizes[3] = {}, strides[3] = {};  // i32; i64, B
    };
    /// The target of an access.
    struct Texels {
        const Image& image;
        int count;  // of coordinates
        V at[3];    // by lane
        // Inside: whether each lane's texel exists (i1); row: whether all exist and are adjacent.
        V inside, row;
    };
    static bool is_plain_image(const ir::Instr& i);
    const Image& image_of(const ir::MemInfo& m);
    Texels texels_of(const ir::Instr& i);
    V first_texel(const Texels& t);
    V each_texel(const Texels& t);
    void decode_texels(ir::ImageFormat f, const V* words, V out[4]);
    V of_255(V v);
    void load_image(const ir::Instr& i);
    V encode_byte(ir::ImageFormat f, V word);
    void store_image(const ir::Instr& i);
    V ranges(ir::Storage space);
    V wanted_lanes();

    // codegen_tex.cpp
    /// A TexCall in the work area and its unit's function.
    struct TexSite {
        int binding = 0;
        TexMode mode = TexMode::Implicit;
        int32_t offset[3] = {};
        bool has_lod = false;
        // Used by one instruction only, or shared by those that have no site of their own.
        bool is_private = false;
        V call = nullptr, sample = nullptr;
    };
    const TexSite& tex_site(const ir::TexInfo& t, TexMode mode, bool indexed);
    void tex(const ir::Instr& i);
    void tex_size(const ir::Instr& i, V unit);
    V size_rows();
    V runtime_function(uint64_t offset_B);
    // Texture functions take rows of kLanes. With more lanes, they are called several times; with fewer, the
    // rest of the row is unchanged.
    unsigned tex_parts() const { return lanes_ > kLanes ? lanes_ / kLanes : 1; }
    void store_part(V v, unsigned part, V area, uint64_t offset_B);
    V join_parts(const V* parts);
    V tex_area(uint64_t size_B);
    void tex_part(const ir::Instr& i, const TexSite& site, unsigned part);

    // codegen_tex_group.cpp
    /// A TexGroup in the work area with its rows, and its unit's function.
    struct TexGroupSite {
        V group = nullptr, rows[2] = {}, out = nullptr, sample = nullptr;
    };
    /// Where an instruction that was called in a group finds its results, by part.
    struct GroupedTex {
        V out[2] = {};
        uint64_t offset_B = 0;
    };
    TexGroupSite group_site(int binding, const TexGroupShape& shape);
    void call_group(const ir::Instr& first);
    void load_grouped(const ir::Instr& i, const GroupedTex& g);

    // codegen_tex_early.cpp
    llvm::BranchInst* sample_early(llvm::BranchInst* from);
    void forget_lanes();
    struct EarlyRows {
        V s, t, third, ref, mask;
    };
    V early_rows(const ir::Instr& texture, const EarlyRows& rows);
    void load_early(const ir::Instr& i, V out);

    llvm::Module& module_;
    llvm::LLVMContext& c_;
    const ir::Shader& shader_;
    const CompiledShader& info_;
    const Features features_;
    const unsigned lanes_;
    const ir::Uniformity steps_;
    llvm::IRBuilder<> b_;
    llvm::Type *f32_, *i32_, *ptr_, *f32v_, *i32v_, *i64v_;
    llvm::Function* function_ = nullptr;
    V watch_ = nullptr;  // with budget_
    V args_ = nullptr, uniforms_ = nullptr, textures_ = nullptr, runtime_ = nullptr;
    V blocks_ = nullptr, buffers_ = nullptr, images_ = nullptr, row_count_ = nullptr, memory_call_ = nullptr;
    V atomic_rows_ = nullptr;
    std::map<std::pair<int, uint32_t>, Image> image_ranges_;   // by slot and bytes per texel
    std::map<int, BlockRange> block_ranges_, storage_ranges_;  // the latter by slot; -1: shared memory
    llvm::BasicBlock *entry_ = nullptr, *run_ = nullptr, *head_ = nullptr, *end_ = nullptr;
    llvm::Instruction* once_ = nullptr;     // code that runs once per call is inserted before this
    llvm::Instruction* run_end_ = nullptr;  // code that runs once per run is inserted before this
    // Code that runs at the beginning of each group is inserted before this.
    llvm::Instruction* entry_end_ = nullptr;
    llvm::PHINode *run_begin_ = nullptr, *group_ = nullptr;  // the lanes of the batch, i64
    V group_count_ = nullptr, last_block_ = nullptr;
    PerBlock block_, setup_, varyings_;  // the blocks' numbers, i64; PrimitiveSetups; their planes

    std::vector<V> values_;  // by ir::Value::id
    /// An array: its address in the area of arrays, and the number of rows before it.
    struct Array {
        V at = nullptr;
        uint32_t rows_before = 0;
    };
    std::vector<Array> vars_;              // by ir::Var::id
    V work_ = nullptr, arrays_ = nullptr;  // the areas of the arguments
    /// The part of the work area that is kept for calls of single instructions.
    static constexpr uint64_t kSingleCalls_B = 16 << 10;
    uint64_t work_used_B_ = 0;
    std::map<unsigned, llvm::AllocaInst*> outputs_;  // slot * 4 + component
    std::map<std::pair<V, uint64_t>, V> members_;    // by owner and offset
    std::map<unsigned, V> inputs_;                   // slot * 4 + component, interpolation in the high bits
    V attributes_ = nullptr, ids_ = nullptr, out_ = nullptr, stride_ = nullptr;  // of VertexArgs
    V mask_in_ = nullptr, corner_[2] = {}, pixel_[2] = {}, perspective_ = nullptr;
    std::vector<TexSite> tex_sites_;
    std::unordered_map<const ir::Instr*, GroupedTex> grouped_;
    unsigned groups_made_ = 0;
    // Results of instructions that were called for the whole batch.
    std::unordered_map<const ir::Instr*, V> early_;
    V rows_ = nullptr, sizes_ = nullptr;  // in the work area
    llvm::AllocaInst *discarded_ = nullptr, *budget_ = nullptr;

    V exec_ = nullptr;
    V whole_ = nullptr;       // exec_ of a fragment function outside of branches and loops
    V whole_bits_ = nullptr;  // its bits, computed without vectors
    LoopState* loop_ = nullptr;
    llvm::BasicBlock* bail_ = nullptr;  // where to jump when no lane of this region is left
    unsigned depth_ = 0;                // the nesting depth of regions; 0: the body
    const std::vector<llvm::AllocaInst*>* if_results_ = nullptr;
    bool else_arm_ = false, discard_pending_ = false;
    const char* problem_ = nullptr;
};

}  // namespace terrazzo::soft::jit

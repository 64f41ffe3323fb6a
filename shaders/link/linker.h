// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A link in progress. The order: match the stages' declarations (match.cpp); assign slots to varyings
// (varyings.cpp); optimise the stages, last first, and pack the remaining varyings; assign places to the
// attributes (attributes.cpp), uniforms and samplers (uniforms.cpp) that the optimised code still reads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shaders/compile.h"
#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/link/packing.h"
#include "shaders/passes/external_samplers.h"
#include "shaders/passes/pack_varyings.h"
#include "shaders/passes/views.h"

namespace terrazzo::shaders {

[[nodiscard]] const char* stage_name(ir::Stage s);
/// "mat3", "sampler2D[4]".
[[nodiscard]] std::string type_name(const GlslType& t, uint32_t array_size);
/// The declared part of a leaf's name: "lights[1].color" -> "lights".
[[nodiscard]] std::string_view root_name(std::string_view name);

/// The name of an input or output; for a member of a block, with the block's name.
[[nodiscard]] inline const std::string& match_name(const InterfaceVar& v) {
    return v.match_name.empty() ? v.name : v.match_name;
}
/// The key by which inputs and outputs of two stages match: the location if there is one, else the name.
[[nodiscard]] inline std::string varying_key(const InterfaceVar& v) {
    const std::string& name = match_name(v);
    if (v.location < 0) return name;
    return "@" + std::to_string(v.location) + name.substr(root_name(name).size());
}

/// Visits the instructions that exist at the time of the call; `f` may replace its argument.
template <typename F>
void each_instruction(ir::Region* r, F&& f) {
    for (ir::Instr *i = r->first, *next = nullptr; i; i = next) {
        next = i->next;
        for (unsigned k = 0; k < i->region_count; ++k)
            each_instruction(i->regions[k], f);
        f(i);
    }
}

inline constexpr uint32_t kNoSlot = UINT32_MAX;

/// The place of a variable's components: rows of `width` components from (slot, column) on.
struct Target {
    uint32_t slot = kNoSlot;
    uint32_t column = 0;
    uint32_t width = 4;
    uint32_t first = 0;           // components before it, from (slot, column) on
    uint32_t count = UINT32_MAX;  // existing components: others read as 0 and are not stored
    [[nodiscard]] bool has(uint32_t component) const { return slot != kNoSlot && component < count; }
    [[nodiscard]] uint32_t slot_of(uint32_t component) const { return slot + (first + component) / width; }
    [[nodiscard]] uint32_t column_of(uint32_t component) const {
        return column + (first + component) % width;
    }
};
using Targets = std::map<const ir::Var*, Target>;

/// The places of an interface's variables: those per vertex in records, the patch's in rows.
struct StageTargets {
    Targets vertex, patch;
};

/// The elements of gl_ClipDistance and gl_CullDistance that a stage declares, explicitly or by its indices.
struct DistanceSizes {
    uint32_t clip = 0, cull = 0;
    bool clip_implicit = false, cull_implicit = false;
    [[nodiscard]] uint32_t slots() const { return (clip + cull + 3) / 4; }
};
[[nodiscard]] DistanceSizes distance_sizes(const std::vector<InterfaceVar>& list);

struct BlockKind;

class Linker {
  public:
    Linker(std::span<const CompiledShader* const> shaders, const LinkOptions& options)
        : options_(options), given_(shaders) {}
    LinkResult run();

  private:
    using Stage = ir::Stage;
    [[nodiscard]] const CompiledShader* source(Stage s) const { return source_[unsigned(s)]; }
    [[nodiscard]] ir::Shader& shader(Stage s) { return *stages_[unsigned(s)]; }
    /// The copy's variable.
    [[nodiscard]] ir::Var* var(Stage s, const InterfaceVar& v) const {
        return v.var ? vars_[unsigned(s)][v.var->id] : nullptr;
    }
    void error(const std::string& message) {
        log_ += "ERROR: " + message + "\n";
        failed_ = true;
    }
    void warning(const std::string& message) { log_ += "WARNING: " + message + "\n"; }

    // link.cpp
    bool take_stages();
    void check_graphics_stages();
    void check_stage_layouts();
    /// The existing graphics stages, in order.
    [[nodiscard]] std::vector<Stage> chain() const;
    /// The stage whose outputs are rasterised and captured; none for a fragment or compute stage alone.
    [[nodiscard]] std::optional<Stage> last_vertex_stage() const;
    void optimize_vertex_stage(Stage s);
    void optimize_stages();
    void lower_views();
    void lower_window_origin();
    void lower_external_samplers(Stage s);
    void check_sizes();
    void finish_stages();
    void check_stages();
    // match.cpp
    void match_uniforms();
    void match_uniforms_of(Stage a, Stage b);
    void match_varyings();
    void match_varyings_of(Stage from, Stage to);
    void match_varying(Stage from, Stage to, const InterfaceVar& in, const InterfaceVar& out);
    void match_exactly(Stage from, Stage to);
    void match_builtin_invariance();
    // varyings.cpp
    struct Varying {
        const InterfaceVar *in, *out;  // either may be null
        PackItem item;
        [[nodiscard]] const InterfaceVar& any() const { return out ? *out : *in; }
    };
    using MaybeStage = std::optional<Stage>;
    std::vector<Varying> list_varyings(MaybeStage from, MaybeStage to);
    void add_captured(std::vector<Varying>& list);
    bool pack_varyings(std::vector<Varying>& list, bool patch, uint32_t limit);
    void lower_varyings();
    // distances.cpp
    void match_distances();
    void match_distances_of(Stage from, Stage to);
    void note_distances(Stage last, uint32_t clip, uint32_t cull);
    void lower_interface(MaybeStage from, MaybeStage to);
    void lower_producer(Stage s, const StageTargets& targets, uint64_t slots, uint32_t patch_rows);
    void lower_consumer(Stage s, const StageTargets& targets, uint64_t slots, uint32_t patch_rows);
    void lower_fragment_outputs();
    [[nodiscard]] OutputInfo describe_output(const InterfaceVar& o) const;
    void place_output(OutputInfo& info, uint64_t* taken);
    void place_outputs(const std::vector<const InterfaceVar*>& declared);
    // capture.cpp
    /// A captured output, or a part of it.
    struct Capture {
        CaptureInfo info;
        const InterfaceVar* out = nullptr;  // null: a built-in output that the shader does not use
        uint32_t first = 0;                 // first component of `out`
    };
    void find_captures();
    bool resolve_capture(const std::string& name, Capture* c);
    void place_captures(const Targets& targets);
    void layout_captures();
    // attributes.cpp
    void assign_attributes();
    void lower_attributes(const std::map<const ir::Var*, int>& location);
    // interface.cpp
    void list_inputs();
    void list_outputs();
    void check_output_resources();
    // blocks.cpp
    void match_blocks();
    void match_blocks_of(const BlockKind& kind, Stage a, Stage b);
    void layout_blocks(Stage s);
    void layout_blocks_of(const BlockKind& kind, Stage s);
    void list_blocks();
    void list_blocks_of(const BlockKind& kind);
    void add_block(const BlockKind& kind, const CompiledShader& s, size_t index);
    void lower_slot(ir::Shader& sh, ir::Instr* i, uint32_t first);
    // counters.cpp
    void layout_counters(Stage s);
    void list_counters();
    void add_counter(const InterfaceVar& v, size_t buffer);
    // uniforms.cpp
    void place_locations();
    bool take_locations(std::vector<bool>* taken);
    void find_used_uniforms(Stage s);
    void check_uniform_limits(Stage s);
    void layout_uniforms(Stage s);
    void list_uniforms();
    void place_uniform(UniformInfo& u, Stage s, const InterfaceVar& v);
    void list_samplers();
    void list_planes(Stage s);
    void list_images();
    void lower_uniforms(Stage s);
    void check_combined_samplers();

    const LinkOptions& options_;
    std::span<const CompiledShader* const> given_;
    const CompiledShader* source_[ir::kStageCount] = {};
    std::shared_ptr<LinkedProgram> program_;
    std::unique_ptr<ir::Shader> stages_[ir::kStageCount];  // program_'s, until they are finished
    ir::ViewUses views_;                                   // of the vertex stage
    ir::Var* window_origin_ = nullptr;  // of the fragment stage; not a uniform of the program
    std::vector<ir::ExternalSampler> externals_[ir::kStageCount];  // likewise
    std::vector<ir::Var*> vars_[ir::kStageCount];                  // of the copies, by the originals' ids
    struct Use {
        std::vector<bool> components;  // accessed
        bool any = false;
        uint32_t offset = 0;  // dwords, or sampler or image slots
    };
    std::map<const ir::Var*, Use> uses_;  // for uniforms, samplers and images
    // For the stages' blocks and counters, the first slot of each.
    std::map<const ir::Var*, uint32_t> block_slots_;
    std::vector<Capture> captures_;
    std::vector<ir::VaryingPlace> captured_;  // the components of all captures, in order
    std::string log_;
    bool failed_ = false;
};

}  // namespace terrazzo::shaders

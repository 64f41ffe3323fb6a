// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the units of the virtual GPU share for one context: registers, tile memory, state that the command
// processor loaded for shaders; and the work that the command processor starts. Work runs at once and ends
// before its call returns.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/core/stats.h"
#include "drivers/common/host/host.h"
#include "drivers/common/host/text.h"
#include "drivers/common/units/areas.h"
#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

using host::Host;
using host::RunStatus;

enum class FaultKind : uint8_t { Opcode, Hardware, Protection, Illegal, Memory, Shader };

/// Why a submit ends. The report names the packet or draw, shader and register.
struct Fault {
    FaultKind kind = FaultKind::Hardware;
    std::string report;
};

/// Sets `fault`, with the parts of its report (host::text_of); returns false.
template <class... Part>
bool fail(Fault* fault, FaultKind kind, const Part&... part) {
    *fault = {kind, host::text_of(part...)};
    return false;
}
/// FaultKind::Hardware: registers have what does not go together, or what the model does not execute.
template <class... Part>
bool fail(Fault* fault, const Part&... part) {
    return fail(fault, FaultKind::Hardware, part...);
}

/// Memory-mapped registers, with the values that the command stream wrote.
class Registers {
  public:
    static constexpr unsigned kCount = 1u << 16;
    static constexpr unsigned kStreamProgram = 256;  // words of stream output's program, 64 per stream
    uint32_t value(uint16_t reg) const { return value_[reg]; }
    bool is_set(uint16_t reg) const { return set_[reg]; }
    void write(uint16_t reg, uint32_t v) {
        value_[reg] = v;
        set_[reg] = true;
        ++serial_;
        if (reg == hw::VPC_SO_PROG::kRegister || reg == hw::VPC_SO_CNTL::kRegister) write_program(reg, v);
    }
    /// The words written through VPC_SO_PROG, by VPC_SO_CNTL's address, which each write increments.
    uint32_t stream_program(unsigned word) const { return stream_program_[word]; }
    /// No register is set: another context used the GPU.
    void forget() {
        set_.reset();
        ++serial_;
    }
    /// Grows with each write: while it is the same, decoded state is still valid.
    uint64_t serial() const { return serial_; }
    /// All registers may have changed: state decoded at a serial() up to `serial` is not valid any more.
    void touch(uint64_t serial) { serial_ = (serial > serial_ ? serial : serial_) + 1; }
    /// The register as its struct, for array element `i`. A register that was never written reads as 0: use
    /// require() if that matters.
    template <class R>
    R get(unsigned i = 0) const {
        R r;
        unpack(&value_[R::at(i)], &r);
        return r;
    }
    /// As get(), with a fault if the register was never written.
    template <class R>
    [[nodiscard]] bool require(R* out, Fault* fault, unsigned i = 0) const {
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            if (!set_[R::at(i) + w]) return unset(uint16_t(R::at(i) + w), fault);
        unpack(&value_[R::at(i)], out);
        return true;
    }
    /// 64 bits from a register and the next one.
    uint64_t address(uint16_t reg) const { return uint64_t(value_[reg + 1u]) << 32 | value_[reg]; }

  private:
    static bool unset(uint16_t reg, Fault* fault);
    void write_program(uint16_t reg, uint32_t v);
    std::array<uint32_t, kCount + 1> value_{};
    std::bitset<kCount + 1> set_;
    uint64_t serial_ = 0;
    std::array<uint32_t, kStreamProgram> stream_program_{};
    uint8_t stream_program_at_ = 0;
};

/// In the order of SB6's enumerators for shaders.
enum class Stage : uint8_t { Vertex, Hull, Domain, Geometry, Fragment, Compute };
inline constexpr unsigned kStages = 6;

/// The state that CP_LOAD_STATE6 loaded for a stage, in words. Sized to the last loaded element.
struct StageState {
    std::vector<uint32_t> constants;        // 4 per vector
    std::vector<uint32_t> textures;         // 16 per TexConst
    std::vector<uint32_t> samplers;         // 4 per TexSamp
    std::vector<uint32_t> uniform_buffers;  // 2 per Ubo
    std::vector<uint32_t>
        images;  // 16 per TexConst: in Fragment those of all draw stages (SB6_IBO), in Compute its own
    uint64_t serial = 0;  // grows with each load
};

/// The purpose of draws and tiles: RM6 modes (CP_SET_MARKER).
enum class RenderMode : uint8_t { Bypass, Binning, Gmem, Blit2d, Resolve, Compute, Other };

/// A CP_DRAW_*; indirect ones after their words were read. First vertex and instance are in VFD_INDEX_OFFSET
/// and VFD_INSTANCE_START_OFFSET, which indirect draws write.
struct DrawCall {
    hw::DrawInitiator initiator;
    uint32_t instances = 1;
    uint32_t count = 0;        // of indices or vertices
    uint32_t first_index = 0;  // CP_DRAW_INDX_OFFSET
    uint64_t indices_va = 0;
    uint32_t max_indices = 0;         // the number of indices at indices_va; further ones read as 0
    bool from_stream_output = false;  // CP_DRAW_AUTO: count is in bytes over the stride
    // CP_SET_SUBDRAW_SIZE: the vertices of patches that run together; 0: all.
    uint32_t subdraw_size = 0;
    uint32_t number = 0;  // in its submit, for reports
    /// A draw is the same in each tile and in the binning pass if it has the same address in the same IB
    /// call.
    uint64_t packet_va = 0;
    /// Its number among the draws of a tile since CP_SET_BIN_DATA5, or of the binning pass since its start.
    uint32_t visibility_index = 0;
};

struct DispatchCall {
    uint32_t groups[3] = {1, 1, 1};
    uint32_t number = 0;
};

/// The visibility streams in use: VSC, as CP_SET_BIN_DATA5 chose it.
struct VisibilityUse {
    bool enabled = false;         // draws with vis_cull USE_VISIBILITY read the stream
    unsigned pipe = 0, slot = 0;  // in VSC_PIPE_CONFIG, and the number among its tiles
    uint64_t draw_stream_va = 0, prim_stream_va = 0, size_va = 0;
};

struct Visibility;  // geometry/visibility.h

/// Counts since the machine was created. The units update them when a draw, dispatch or blit has ended.
struct WorkCounters : host::Counters {
    std::array<CoreStats, kStages> shaders;  // Vertex has all stages before the rasterizer
    std::array<uint64_t, kStages> texture_pixels{};
    uint64_t pixels_2d = 0;
    uint64_t quads = 0, pixels = 0;  // after early tests
    uint64_t zpass_events = 0, cache_flushes = 0, mode_switches = 0;
};

class Caches;  // cp/caches.h

/// The GPU's state that belongs to a submit: preemption saves it.
struct ContextState {
    Registers registers;
    std::array<StageState, kStages> stages;
    std::vector<uint8_t> gmem;  // chip.gmem_size_B
    RenderMode mode = RenderMode::Bypass;
    VisibilityUse visibility;
    uint32_t draws = 0;  // in this submit so far, for reports
};

struct Machine : ContextState {
    Machine(const hw::Chip& c, Host& h, unsigned thread_count);
    ~Machine();
    /// Continues a submit with the state that it had.
    void restore(ContextState&& saved);
    const hw::Chip& chip;
    Host& host;
    const std::unique_ptr<Caches> caches;
    // Of the command processor's thread: memory itself, and memory as readers through the UCHE may see it.
    // Other threads that shade create their own window of the latter from uche_space().
    window::Window memory, uche;
    window::Space& uche_space();
    units::AreaThreads on_threads(unsigned count) { return {count, threads, &pool}; }
    unsigned threads;                           // that a draw may use, if they are idle
    std::shared_ptr<threads::WorkerPool> pool;  // null until some work uses several threads
    // Instructions that a wave may execute before it counts as endless.
    uint64_t turn_limit = 1ull << 24;
    uint64_t samples_passed = 0;                   // ZPASS: the value for RB_SAMPLE_COUNT_ADDR
    uint64_t stream_output_primitives[2][4] = {};  // written, generated: per stream
    /// RBBM_PRIMCTR: 0 vertices assembled, 1 primitives assembled, invocations of 2 vertex shaders, 3 hull
    /// shaders (patches), 4 domain shaders, 5 geometry shaders, 6 primitives of geometry shaders, 7
    /// primitives clipped, 8 primitives out of the clipper, invocations of 9 fragment shaders, 10 compute
    /// shaders. The units increment them; the command processor starts and stops the counters that streams
    /// see.
    static constexpr unsigned kPrimitiveCounters = 11;
    uint64_t primitive_counters[kPrimitiveCounters] = {};
    std::shared_ptr<Visibility> vsc;  // null until a binning pass begins
    WorkCounters work;
    /// Grows when the contents of texture caches become invalid: a submit begins, CACHE_INVALIDATE and
    /// CACHE_FLUSH_TS, the 2D engine, work that stored. Decoded texels are kept as long.
    uint64_t texture_serial = 0;
    /// For tests: a draw that samples a texture must be able to read each level and layer of it, as for other
    /// coordinates.
    bool reads_all_levels = false;
};

/// The units that the command processor starts; each has its folder. False: `fault` has the cause. The
/// methods of Work itself do nothing, for replays that only follow streams.
class Work {
  public:
    virtual ~Work() = default;
    /// A submit begins, or continues after others used the GPU: memory may have changed.
    virtual void begin_submit() {}
    /// A submit begins and is no continuation.
    virtual void start_submit() {}
    /// A submit ends.
    virtual bool end_submit(Fault*) { return true; }
    virtual bool draw(const DrawCall&, Fault*) { return true; }          // geometry/, pixel/
    virtual bool dispatch(const DispatchCall&, Fault*) { return true; }  // compute/
    /// The BLIT event: GMEM to memory, memory to GMEM, or a clear of GMEM, by RB_BLIT_INFO.
    virtual bool blit_event(Fault*) { return true; }  // blit/
    /// CP_BLIT: the 2D engine.
    virtual bool blit_2d(Fault*) { return true; }  // blit/
    /// Fills in Machine::work what the stages and the hardware's counters have counted.
    virtual void count() {}
    /// Events for the units: a binning pass begins (UNK_2C) or ends (UNK_2D), LRZ is cleared or flushed.
    virtual bool event(hw::EventType, Fault*) { return true; }
};

}  // namespace terrazzo::adreno::sim

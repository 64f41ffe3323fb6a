// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the units of the virtual GPU share for one context: registers, tile memory, what the command processor loaded for shaders; and the work that the command
// processor starts. Work runs at once and ends before its call returns.
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
#include "drivers/common/threads/worker_pool.h"
#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

/// What lies outside the GPU: the kernel.
class Host {
  public:
    virtual ~Host() = default;
    virtual window::Space& space() = 0;
    virtual uint64_t timestamp() const = 0;
    /// True when what runs should end: ask every millisecond's work.
    virtual bool should_stop() const = 0;
    /// A draw, a dispatch or the like has ended. On the thread that runs the stream.
    virtual void note_progress() {}
};

enum class FaultKind : uint8_t { Opcode, Hardware, Protection, Illegal, Memory, Shader };

/// Why a submit ends. The report names packet or draw, shader and register.
struct Fault {
    FaultKind kind = FaultKind::Hardware;
    std::string report;
};

/// Sets `fault` and is false.
bool fail(Fault* fault, FaultKind kind, std::string report);

/// Memory-mapped registers, as the command stream left them.
class Registers {
  public:
    static constexpr unsigned kCount = 1u << 16;
    static constexpr unsigned kStreamProgram = 256;  // words of stream output's program, 64 a stream
    uint32_t value(uint16_t reg) const { return value_[reg]; }
    bool is_set(uint16_t reg) const { return set_[reg]; }
    void write(uint16_t reg, uint32_t v) {
        value_[reg] = v;
        set_[reg] = true;
        ++serial_;
        if (reg == hw::VPC_SO_PROG::kRegister || reg == hw::VPC_SO_CNTL::kRegister) write_program(reg, v);
    }
    /// What VPC_SO_PROG wrote, by VPC_SO_CNTL's address, which grows with each write.
    uint32_t stream_program(unsigned word) const { return stream_program_[word]; }
    /// Nothing is set: another context had the GPU.
    void forget() {
        set_.reset();
        ++serial_;
    }
    /// Grows with each write: state that was decoded before is still good where it is the same.
    uint64_t serial() const { return serial_; }
    /// All may have changed; what saw serial() up to `serial` knows nothing.
    void touch(uint64_t serial) { serial_ = (serial > serial_ ? serial : serial_) + 1; }
    /// The register's struct, of an array element `i`. A register that was never written reads as 0: use require() where that matters.
    template <class R>
    R get(unsigned i = 0) const {
        R r;
        unpack(&value_[R::at(i)], &r);
        return r;
    }
    /// As get(), and a fault where nothing was written there.
    template <class R>
    [[nodiscard]] bool require(R* out, Fault* fault, unsigned i = 0) const {
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            if (!set_[R::at(i) + w]) return unset(uint16_t(R::at(i) + w), fault);
        unpack(&value_[R::at(i)], out);
        return true;
    }
    /// 64 bits from a register and the next.
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

/// What CP_LOAD_STATE6 put into a stage's caches, words. Grown as far as something was loaded.
struct StageState {
    std::vector<uint32_t> constants;        // 4 a vector
    std::vector<uint32_t> textures;         // 16 a TexConst
    std::vector<uint32_t> samplers;         // 4 a TexSamp
    std::vector<uint32_t> uniform_buffers;  // 2 a Ubo
    std::vector<uint32_t>
        images;  // 16 a TexConst: of Fragment those that all draw stages see (SB6_IBO), of Compute its own
    uint64_t serial = 0;  // grows with each load
};

/// What draws and tiles are for: RM6 modes (CP_SET_MARKER).
enum class RenderMode : uint8_t { Bypass, Binning, Gmem, Blit2d, Resolve, Compute, Other };

/// A CP_DRAW_*; indirect ones after their words were read. First vertex and instance are in VFD_INDEX_OFFSET and VFD_INSTANCE_START_OFFSET: indirect draws
/// write them.
struct DrawCall {
    hw::DrawInitiator initiator;
    uint32_t instances = 1;
    uint32_t count = 0;        // of indices, or of vertices
    uint32_t first_index = 0;  // CP_DRAW_INDX_OFFSET
    uint64_t indices_va = 0;
    uint32_t max_indices = 0;         // how many there are at indices_va; further ones read as 0
    bool from_stream_output = false;  // CP_DRAW_AUTO: count is in bytes over the stride
    uint32_t subdraw_size = 0;        // CP_SET_SUBDRAW_SIZE: vertices of patches that run together; 0: all
    uint32_t number = 0;              // of the submit's, for reports
    /// The draw is the same in each tile and in the binning pass if it has the same address in the same IB call.
    uint64_t packet_va = 0;
    /// Counts the draws of a tile since CP_SET_BIN_DATA5, or of the binning pass since it began.
    uint32_t visibility_index = 0;
};

struct DispatchCall {
    uint32_t groups[3] = {1, 1, 1};
    uint32_t number = 0;
};

/// Tiles that visibility streams speak of: VSC, as CP_SET_BIN_DATA5 chose it.
struct VisibilityUse {
    bool enabled = false;         // draws with vis_cull USE_VISIBILITY ask the stream
    unsigned pipe = 0, slot = 0;  // of VSC_PIPE_CONFIG, and which of its tiles
    uint64_t draw_stream_va = 0, prim_stream_va = 0, size_va = 0;
};

struct Visibility;  // geometry/visibility.h

/// Since the machine was made. The units set or add to them when a draw, dispatch or blit has ended.
struct WorkCounters {
    std::array<CoreStats, kStages> shaders;  // Vertex has all stages before the rasterizer
    std::array<uint64_t, kStages> texture_pixels{};
    uint64_t draws = 0, dispatches = 0, blits_2d = 0, pixels_2d = 0;
    uint64_t quads = 0, pixels = 0,
             fragments = 0;  // with what is left behind early tests; fragments: with a shader
    uint64_t samples_passed = 0;
    uint64_t zpass_events = 0, cache_flushes = 0, mode_switches = 0;
};

class Caches;  // cp/caches.h

struct Machine {
    Machine(const hw::Chip& c, Host& h, unsigned thread_count);
    ~Machine();
    const hw::Chip& chip;
    Host& host;
    const std::unique_ptr<Caches> caches;
    // Of the thread that runs the command processor: memory as it is, and as readers behind the UCHE may see it. Other threads that shade make their own of the
    // latter from uche_space().
    window::Window memory, uche;
    window::Space& uche_space();
    Registers registers;
    std::array<StageState, kStages> stages;
    std::vector<uint8_t> gmem;  // chip.gmem_size_B
    RenderMode mode = RenderMode::Bypass;
    VisibilityUse visibility;
    unsigned threads;                           // that a draw may use, as far as they are idle
    std::shared_ptr<threads::WorkerPool> pool;  // null until something has work for several
    uint64_t turn_limit = 1ull << 24;           // instructions a wave may execute, then it counts as endless
    uint64_t samples_passed = 0;                // ZPASS: what RB_SAMPLE_COUNT_ADDR gets
    uint64_t stream_output_primitives[2][4] = {};  // written, generated: of each stream
    /// RBBM_PRIMCTR: 0 vertices assembled, 1 primitives assembled, invocations of 2 vertex shaders, 3 hull shaders (patches), 4 domain
    /// shaders, 5 geometry shaders, 6 primitives of geometry shaders, 7 primitives clipped, 8 primitives out of the clipper, invocations of
    /// 9 fragment shaders, 10 compute shaders. The units add, the command processor starts and stops what streams see of them.
    static constexpr unsigned kPrimitiveCounters = 11;
    uint64_t primitive_counters[kPrimitiveCounters] = {};
    std::shared_ptr<Visibility> vsc;  // null until a binning pass begins
    WorkCounters work;                // what performance counters can count
    uint32_t draws = 0;               // of this submit so far, for reports
    /// Grows when what texture caches hold is no longer good: a submit begins, CACHE_INVALIDATE and CACHE_FLUSH_TS, the 2D engine, work that stored. Decoded texels are kept as long.
    uint64_t texture_serial = 0;
    /// For tests: a draw that fetches from a texture must be able to read each level and layer of it, as if other coordinates had been asked for.
    bool reads_all_levels = false;
};

/// The units behind the command processor, and what stands in each folder. False: `fault` says why.
class Work {
  public:
    virtual ~Work() = default;
    /// A submit begins, or goes on after others had the GPU: memory may have changed.
    virtual void begin_submit() {}
    /// A submit begins, and not where it was left.
    virtual void start_submit() {}
    /// A submit has come to its end.
    virtual bool end_submit(Fault*) { return true; }
    virtual bool draw(const DrawCall& call, Fault* fault) = 0;          // draw/, geometry/, pixel/
    virtual bool dispatch(const DispatchCall& call, Fault* fault) = 0;  // compute/
    /// The BLIT event: GMEM to memory, memory to GMEM, or a clear of GMEM, as RB_BLIT_INFO says.
    virtual bool blit_event(Fault* fault) = 0;  // blit/
    /// CP_BLIT: the 2D engine.
    virtual bool blit_2d(Fault* fault) = 0;  // blit/
    /// Events that mean something to the units: a binning pass begins (UNK_2C) or ends (UNK_2D), LRZ is cleared or flushed.
    virtual bool event(hw::EventType event, Fault* fault) = 0;
};

}  // namespace terrazzo::adreno::sim

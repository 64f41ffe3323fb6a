// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/bound_program.h"

#include <algorithm>

namespace terrazzo::agx::sim {

namespace {

constexpr unsigned kMostWords = 256;  // of a list; a longer one is garbage

/// Reads one list of USC words.
class List {
  public:
    List(Window& memory, uint64_t usc_base, uint64_t va, const std::string& what, BoundProgram* out,
         Fault* fault)
        : memory_(memory), base_(usc_base), va_(va), what_(what), out_(*out), fault_(fault) {}
    bool run() {
        for (unsigned n = 0; n < kMostWords; ++n) {
            uint8_t tag;
            if (!memory_.read(va_, &tag, 1)) return fail_access(fault_, memory_, "USC words");
            if (!word(hw::UscControl(tag))) return false;
            if (!ends_) continue;
            return (out_.code_va && out_.registers) || refuse_list("it names no code, or no registers");
        }
        return refuse_list("the list does not end");
    }

  private:
    template <class... Part>
    bool refuse_list(const Part&... part) {
        return fail(fault_, Exception::BadCommand, what_, ": USC words at ", host::hex_text(va_), ": ",
                    part...);
    }
    template <class T>
    bool take(T* out) {
        uint32_t words[2] = {};
        if (!memory_.read(va_, words, T::kSize_B)) return fail_access(fault_, memory_, "USC words");
        if (!unpack(words, out)) return refuse_list("a word has bits without a meaning");
        va_ += T::kSize_B;
        return true;
    }
    bool bind(unsigned first, unsigned count, uint64_t from) {
        if (first + count > isa::kUniformHalves) return refuse_list("uniform registers beyond the last one");
        for (unsigned n = 0; n < count; ++n) {
            uint16_t value;
            if (!memory_.read(from + 2 * n, &value, sizeof value))
                return fail_access(fault_, memory_, "uniforms");
            out_.uniforms.bind(first + n, value);
        }
        return true;
    }
    bool word(hw::UscControl tag) {
        switch (tag) {
            case hw::UscControl::SHADER: {
                hw::UscShader w;
                if (!take(&w)) return false;
                out_.code_va = base_ + w.code;
                return true;
            }
            case hw::UscControl::UNIFORM: {
                hw::UscUniform w;
                return take(&w) && bind(w.start, w.size, w.buffer);
            }
            case hw::UscControl::UNIFORM_HIGH: {
                hw::UscUniformHigh w;
                return take(&w) && bind(256 + w.start, w.size, w.buffer);
            }
            case hw::UscControl::SHARED:
                out_.has_shared = true;
                return take(&out_.shared);
            case hw::UscControl::REGISTERS: {
                hw::UscRegisters w;
                if (!take(&w)) return false;
                out_.registers = std::min(w.count, kRegisters);
                out_.stack_B = stack_B(w.spill_size);
                return true;
            }
            case hw::UscControl::SAMPLER: {
                hw::UscSampler w;
                if (!take(&w)) return false;
                out_.bindings.samplers.push_back({w.start, w.count, w.buffer});
                return true;
            }
            case hw::UscControl::TEXTURE: {
                hw::UscTexture w;
                if (!take(&w)) return false;
                out_.bindings.textures.push_back({w.start, w.count, w.buffer});
                return true;
            }
            case hw::UscControl::FRAGMENT_PROPERTIES:
                return take(&out_.fragment);
            case hw::UscControl::PRESHADER: {
                hw::UscPreshader w;
                ends_ = true;
                if (!take(&w)) return false;
                out_.preshader_va = base_ + w.code;
                return true;
            }
            case hw::UscControl::NO_PRESHADER: {
                hw::UscNoPreshader w;
                ends_ = true;
                return take(&w);
            }
        }
        return refuse_list("no word begins with ", unsigned(tag));
    }
    /// The logarithm of a thread's units of 32 bytes, plus one (Mesa 25.0.7, agx_scratch.c).
    static unsigned stack_B(uint32_t field) { return field ? 32u << std::min(field - 1, 15u) : 0; }

    Window& memory_;
    const uint64_t base_;
    uint64_t va_;
    const std::string& what_;
    BoundProgram& out_;
    Fault* const fault_;
    bool ends_ = false;
};

}  // namespace

bool bind_program(Core& core, uint64_t usc_base, const hw::Pipeline& pipeline, const hw::Counts& counts,
                  const std::string& what, BoundProgram* out, Fault* fault) {
    out->bindings.texture_count = counts.textures;
    out->bindings.extended_samplers =
        counts.samplers == hw::SamplerStates::Extended8 || counts.samplers == hw::SamplerStates::Extended16;
    if (!List(core.memory(), usc_base, usc_base + pipeline.address, what, out, fault).run()) return false;
    if (!out->preshader_va) return true;
    SimdGroup g;
    g.threads = 1;
    g.uniforms = &out->uniforms;
    g.bindings = &out->bindings;
    core.start(g, out->preshader_va);
    CoreFault f;
    const Outcome outcome = core.run(g, &f);
    if (outcome == Outcome::Done) return true;
    if (outcome == Outcome::Barrier)
        return fail(fault, Exception::ShaderFault, what, ": a barrier in its preshader");
    return fail_core(fault, f, out->preshader_va, "preshader of " + what);
}

}  // namespace terrazzo::agx::sim

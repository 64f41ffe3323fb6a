// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs kernels (shaders/ir/stage_buffers.h) in the interpreter, and links programs that have kernels.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "shaders/compile.h"
#include "shaders/ir/stage_buffers.h"
#include "tests/shaders/ir/test_env.h"

namespace terrazzo::ir::test {

using KernelBuffers = std::map<uint32_t, std::vector<uint32_t>>;  // by binding

class KernelEnv final : public InterpEnv {
  public:
    KernelEnv(unsigned lanes, KernelBuffers& buffers) : lanes_(lanes), ranges_(kAllStorageBuffers) {
        for (auto& [binding, words] : buffers)
            ranges_[binding] = {reinterpret_cast<uint8_t*>(words.data()), uint32_t(words.size() * 4)};
    }
    uint32_t group = 0;

    void load_sysval(Sysval s, unsigned component, Type, uint32_t* out) override {
        REQUIRE((s == Sysval::WorkGroupId || s == Sysval::LocalInvocationIndex));
        for (unsigned i = 0; i < lanes_; i++)
            out[i] = s == Sysval::LocalInvocationIndex ? i : component ? 0 : group;
    }
    void load_input(const IoInfo&, Type, const uint32_t*, uint32_t*) override { FAIL("a kernel's input"); }
    void store_output(const IoInfo&, Type, InterpMask, const uint32_t*) override {
        FAIL("a kernel's output");
    }
    void tex(InterpTex&) override { FAIL("a texture"); }
    std::span<const MemoryRange> slots(Storage space) override {
        return space == Storage::Buffer ? std::span<const MemoryRange>(ranges_)
                                        : std::span<const MemoryRange>();
    }

  private:
    unsigned lanes_;
    std::vector<MemoryRange> ranges_;
};

/// Runs the first `invocations`, in workgroups of kKernelGroup. `whole`: also the rest of the last workgroup.
inline void run_kernel(const Shader& s, uint32_t invocations, KernelBuffers& buffers, bool whole = false) {
    const std::string rule = validate(s, Phase::AfterLink);
    REQUIRE_MESSAGE(rule.empty(), rule << print(s));
    const auto program = InterpProgram::create(s, kKernelGroup);
    InterpState state(*program);
    KernelEnv env(kKernelGroup, buffers);
    for (uint32_t at = 0; at < invocations; at += kKernelGroup, env.group++) {
        const uint32_t here = whole ? kKernelGroup : std::min(invocations - at, kKernelGroup);
        const InterpMask mask = here == 64 ? ~InterpMask(0) : (InterpMask(1) << here) - 1;
        REQUIRE(run(*program, state, env, mask, 100000) == InterpStatus::Done);
    }
}

/// The texts have no #version line. A fragment stage is added.
inline std::shared_ptr<const shaders::LinkedProgram> link_kernels(
    const std::vector<std::pair<Stage, std::string>>& texts, const std::string& fragment) {
    static constexpr std::string_view kExtensions[] = {"GL_EXT_geometry_shader",
                                                       "GL_EXT_geometry_point_size"};
    std::vector<shaders::CompileResult> results;
    const auto add = [&](Stage stage, const std::string& text) {
        shaders::CompileOptions o;
        o.stage = stage;
        o.max_version = 310;
        o.extensions = kExtensions;
        results.push_back(shaders::compile(
            "#version 310 es\n#extension GL_EXT_geometry_shader : enable\nprecision highp float;\n" + text,
            o));
        REQUIRE_MESSAGE(results.back().shader, results.back().log);
    };
    for (const auto& [stage, text] : texts)
        add(stage, text);
    add(Stage::Fragment, fragment);
    std::vector<const shaders::CompiledShader*> stages;
    for (const shaders::CompileResult& r : results)
        stages.push_back(r.shader.get());
    shaders::LinkResult r = shaders::link(stages, {});
    REQUIRE_MESSAGE(r.program, r.log);
    return r.program;
}

}  // namespace terrazzo::ir::test

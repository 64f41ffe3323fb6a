// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of a stage, from the compiler or the shader cache (drivers/common/program/stage_code.h). The key
// is a hash of the IR and the options; the cache adds the build.
#pragma once

#include <string>
#include <tuple>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/stored.h"
#include "drivers/common/program/stage_code.h"
#include "drivers/common/program/stages.h"

namespace terrazzo::adreno {

struct CompiledStage : programs::BinaryCode<compiler::Binary> {
    programs::TextureKinds kinds;

    // --- required by programs::get_stage_code()
    using Options = compiler::Options;
    static constexpr const char* kMaker = "adreno a6xx";
    static constexpr std::tuple kKeyed{&Options::variant,
                                       &Options::halves,
                                       &Options::max_registers,
                                       &Options::register_file_vec4,
                                       &Options::sample_shading,
                                       [](const Options& o) { return o.advanced_blend.equation; },
                                       [](const Options& o) { return o.advanced_blend.range; },
                                       [](const Options& o) { return o.advanced_blend.coverage_samples; },
                                       [](const Options& o) { return o.next.stage; },
                                       [](const Options& o) { return o.next.vertices; },
                                       [](const Options& o) { return o.next.slots; },
                                       &Options::domain,
                                       &Options::tess_use_shared,
                                       &Options::max_constants_dw};
    void make(const ir::Shader& s, const Options& options);
    void write(ir::BinaryWriter* out) const;
    [[nodiscard]] bool read(ir::BinaryReader* in);
};

/// For TERRAZZO_DEBUG=shaders: a line of statistics, then a line with a number for each instruction.
std::string code_text(const compiler::Binary& binary);

}  // namespace terrazzo::adreno

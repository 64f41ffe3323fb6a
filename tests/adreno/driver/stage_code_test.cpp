// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages' code as bytes and in the cache.
#include "drivers/adreno/program/stage_code.h"

#include "drivers/adreno/compiler/stored.h"
#include "tests/common/compiler/stage_code_cases.h"

using namespace terrazzo;
using namespace terrazzo::adreno;

namespace {

struct Adreno {
    using Binary = compiler::Binary;
    using Code = CompiledStage;
    static Code compile(const ir::Shader& s) {
        Code code;
        code.binary = compiler::compile(s);
        return code;
    }
    static Code get(const pipe::ProgramDesc& desc, pipe::Stage stage, shaders::ShaderCache* cache) {
        const Code code = programs::get_stage_code<Code>(desc, stage, cache, compiler::Options{});
        CHECK(code.kinds.cubes == (stage == pipe::Stage::Fragment ? 1 : 0));
        return code;
    }
    static shaders::CacheKey key(const ir::ContentHash& hash) {
        return programs::key_of<Code>(hash, compiler::Options{});
    }
    static const std::string& error(const Code& code) { return code.binary.error; }
    static std::vector<Binary> parts(const Code& code) { return {code.binary}; }
    static void check_equal(const Binary& read, const Binary& written) {
        CHECK(read.info.constants.immediates == written.info.constants.immediates);
        CHECK(read.info.attributes.size() == written.info.attributes.size());
        CHECK(read.info.varyings.size() == written.info.varyings.size());
        CHECK(read.info.full_registers == written.info.full_registers);
    }
    static void check_read(const Binary& b) {
        CHECK(b.info.full_registers <= 48);
        for (const compiler::AttributeInput& a : b.info.attributes)
            CHECK(a.location < 32);
    }
};

}  // namespace

TYPE_TO_STRING_AS("Adreno", Adreno);
TERRAZZO_STAGE_CODE_CASES(Adreno)

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of linked programs, as bytes and in the cache. No device is needed.
#include "drivers/mali/program/stage_code.h"

#include "drivers/mali/compiler/stored.h"
#include "tests/common/compiler/stage_code_cases.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using compiler::UniformWord;
using Kind = UniformWord::Kind;

namespace {

struct Mali {
    using Binary = compiler::Binary;
    using Code = StageCode;
    static Code compile(const ir::Shader& s) {
        Code code;
        code.make(s, {});
        return code;
    }
    static Code get(const pipe::ProgramDesc& desc, pipe::Stage stage, shaders::ShaderCache* cache) {
        return programs::get_stage_code<Code>(desc, stage, cache, compiler::Options{});
    }
    static shaders::CacheKey key(const ir::ContentHash& hash) {
        return programs::key_of<Code>(hash, compiler::Options{});
    }
    static const std::string& error(const Code& code) { return code.error; }
    static std::vector<Binary> parts(const Code& code) {
        std::vector<Binary> all(code.parts.begin(), code.parts.end());
        std::erase_if(all, [](const Binary& b) { return b.code.empty(); });
        return all;
    }
    static void check_equal(const Binary& read, const Binary& written) {
        CHECK(read.info.fau == written.info.fau);
        CHECK(read.info.preload == written.info.preload);
        // Padding is not stored.
        CHECK(tests::bytes_of(written).size() < written.code.size() * 8 + written.info.fau.size() * 7 + 64);
    }
    static void check_read(const Binary& b) {
        CHECK(b.info.fau.size() <= compiler::kMaxUniformWords);
        for (const UniformWord& w : b.info.fau)
            if (w.kind == Kind::Sysval) CHECK(w.value < compiler::kSysvalCount);
    }
};

}  // namespace

TYPE_TO_STRING_AS("Mali", Mali);
TERRAZZO_STAGE_CODE_CASES(Mali)

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/core/translate.h"

#include <cstring>
#include <new>
#include <string>

#include "drivers/common/core/emitter.h"
#include "drivers/common/host_code/memory.h"
#include "pipe/debug.h"

namespace terrazzo::core {

namespace {

using host_code::CodeMemory;
using Feature = asmjit::CpuFeatures::X86;

/// Larger blocks are interpreted: to allocate their registers takes too long.
constexpr size_t kMostMicroOps = 4096;

class HostCode final : public Translation {
  public:
    explicit HostCode(CodeMemory memory) : memory_(std::move(memory)) {
        code_ = reinterpret_cast<Code>(memory_.at(0));
        size_B_ = memory_.size_B();
    }

  private:
    const CodeMemory memory_;
};

bool has_all(std::initializer_list<Feature::Id> features) {
    for (const Feature::Id f : features)
        if (!asmjit::CpuInfo::host().hasFeature(f)) return false;
    return true;
}
bool has_eight() {
    static const bool has = has_all({Feature::kAVX2, Feature::kFMA, Feature::kF16C});
    return has;
}
bool has_sixteen() {
    static const bool has =
        has_eight() && has_all({Feature::kAVX512_F, Feature::kAVX512_BW, Feature::kAVX512_CDI,
                                Feature::kAVX512_DQ, Feature::kAVX512_VL});
    return has;
}

/// Null: success; otherwise why the block cannot be translated. Throws std::bad_alloc.
const char* emit(const MicroBlock& block, const EmitOptions& options, asmjit::CodeHolder* code) {
    host_code::FirstError errors;
    auto compiler = std::make_unique<x86::Compiler>();
    if (code->init(asmjit::Environment::host()) != asmjit::kErrorOk) throw std::bad_alloc();
    if (code->attach(compiler.get()) != asmjit::kErrorOk) {
        (void)compiler.release();  // half attached: its destructor would end the process
        throw std::bad_alloc();
    }
    code->setErrorHandler(&errors);
    Emitter emitter(*compiler, block, options);
    const bool complete = emitter.run();
    const asmjit::Error last = complete ? compiler->finalize() : asmjit::Error(asmjit::kErrorOk);
    code->resetErrorHandler();
    const asmjit::Error error = errors.first ? errors.first : last;
    if (error == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    if (error != asmjit::kErrorOk) return asmjit::DebugUtils::errorAsString(error);
    if (!complete) return "it is malformed, or its rows are too far apart";
    if (emitter.frame_B() > kMaxFrame_B) return "its stack frame is too large";
    // All references are within the one section.
    if (code->sectionCount() != 1 || code->hasUnresolvedLinks() || !code->relocEntries().empty())
        return "the code is not position-independent";
    return nullptr;
}

}  // namespace

bool has_translator(VectorWidth width) {
    return width == VectorWidth::Sixteen ? has_sixteen() : has_eight();
}

bool can_translate() {
    return has_translator(VectorWidth::Host) && !pipe::debug(pipe::DebugWord::Interpret);
}

std::unique_ptr<Translation> translate(const MicroBlock& block, VectorWidth width) try {
    if (!has_translator(width) || block.code.size() > kMostMicroOps) return nullptr;
    EmitOptions options;
    options.wide = width == VectorWidth::Host ? has_sixteen() : width == VectorWidth::Sixteen;
    options.counts_bits = asmjit::CpuInfo::host().hasFeature(Feature::kAVX512_VPOPCNTDQ);
    asmjit::CodeHolder code;
    if (const char* const problem = emit(block, options, &code)) {
        if (pipe::debug(pipe::DebugWord::Perf))
            pipe::debug_print(pipe::DebugWord::Perf, "a block of " + std::to_string(block.code.size()) +
                                                         " micro-operations is interpreted: " + problem +
                                                         '\n');
        return nullptr;
    }
    const asmjit::CodeBuffer& text = code.textSection()->buffer();
    auto memory = CodeMemory::load(
        text.size(), [&](uint8_t* to, const uint8_t*) { std::memcpy(to, text.data(), text.size()); });
    return memory ? std::make_unique<HostCode>(std::move(*memory)) : nullptr;
} catch (const std::bad_alloc&) {
    return nullptr;
}

}  // namespace terrazzo::core

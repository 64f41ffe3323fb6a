// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/code/store.h"

#include <cstring>

#include "drivers/soft/code/key.h"

namespace terrazzo::soft {

namespace {

class ImageShader final : public CompiledShader {
  public:
    ImageShader(const ShaderFacts& facts, ir::Stage stage, CodeMemory memory, uint32_t entry_B,
                const void* runtime)
        : memory_(std::move(memory)) {
        static_cast<ShaderFacts&>(*this) = facts;
        self = runtime;
        void* const entry = memory_.at(entry_B);
        if (stage == ir::Stage::Vertex) vertex = reinterpret_cast<VertexFn>(entry);
        if (stage == ir::Stage::Fragment) fragment = reinterpret_cast<FragmentFn>(entry);
        if (ir::is_kernel(stage)) compute = reinterpret_cast<ComputeFn>(entry);
    }

  private:
    const CodeMemory memory_;
};

}  // namespace

std::unique_ptr<CompiledShader> CodeStore::run(const ShaderFacts& facts, const CodeImage& image,
                                               ir::Stage stage, std::string* error) const {
    // Cached code has passed the same check when it was compiled.
    if (facts.frame_B > kMaxFrame_B) {
        *error = "its stack frame has " + std::to_string(facts.frame_B) + " bytes; the limit is " +
                 std::to_string(kMaxFrame_B);
        return nullptr;
    }
    auto memory = load_image(image, error, options_.mapping);
    return memory ? std::make_unique<ImageShader>(facts, stage, std::move(*memory), image.entry_B, self_)
                  : nullptr;
}

std::unique_ptr<CompiledShader> CodeStore::find(const ir::ContentHash& hash, ir::Stage stage) const {
    if (!options_.cache) return nullptr;
    const auto entry = options_.cache->get(code_key(hash, maker_));
    ShaderFacts facts;
    if (!entry || entry->size() < sizeof facts) return nullptr;
    std::memcpy(&facts, entry->data(), sizeof facts);
    CodeImage image;
    if (!read_image(std::span(*entry).subspan(sizeof facts), &image)) return nullptr;
    std::string error;
    return run(facts, image, stage, &error);
}

void CodeStore::put(const ir::ContentHash& hash, const ShaderFacts& facts, const CodeImage& image) const {
    if (!options_.cache) return;
    static_assert(std::is_trivially_copyable_v<ShaderFacts>);
    std::vector<uint8_t> entry(sizeof facts);
    std::memcpy(entry.data(), &facts, sizeof facts);
    append_image(image, &entry);
    options_.cache->put(code_key(hash, maker_), entry);
}

}  // namespace terrazzo::soft

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: Mesa 25.0.7, pan_csf.c; hw/ (Resource, Buffer).
#include "drivers/mali/passes/tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

constexpr unsigned kDrawTables = unsigned(compiler::Table::Textures) + 1,
                   kAllTables = unsigned(compiler::Table::StorageBuffers) + 1;
/// The size of tables, rounded up to the alignment of descriptors.
constexpr uint32_t tables_B(unsigned count) {
    return (count * hw::Resource::kSize_B + 31) & ~31u;
}

void put_table(uint8_t* tables, compiler::Table t, uint64_t va, uint32_t size_B) {
    hw::Resource r;
    r.address = va;
    r.size = size_B;
    r.contains_descriptors = size_B != 0;
    put(r, tables + 16 * unsigned(t));
}

/// The hardware does not apply the view's swizzle to the border colour (Mesa 25.0.7, pan_screen.c:
/// texture_border_color_quirk), so it is applied here.
void put_border(const pipe::BorderColor& border, const pipe::SamplerViewDesc& view, uint8_t* sampler) {
    const pipe::FormatInfo& format = pipe::format_info(view.format);
    const uint32_t one = format.is_pure_int() ? 1 : std::bit_cast<uint32_t>(1.0f);
    std::array<uint32_t, 4> words{};
    for (unsigned c = 0; c < 4; ++c) {
        const pipe::Swizzle from = view.swizzle[c];
        if (from == pipe::Swizzle::Zero) continue;
        unsigned k = unsigned(from);
        if (from == pipe::Swizzle::One || (k == 3 && !format.component_bits(3))) {
            words[c] = one;
        } else if (format.is_depth_stencil() ? k == 0 : format.component_bits(k) != 0) {
            // Luminance is stored as red.
            while (k > 0 && k < 3 && format.swizzle[k] == format.swizzle[k - 1])
                --k;
            words[c] = border.bits[k];
        }
    }
    std::memcpy(sampler + 4 * MaliSampler::kBorder_dw, words.data(), sizeof words);
}

}  // namespace

void Tables::order(pipe::Stage stage) {
    Needs needs;
    each_image(stage, [&](MaliResource& image, bool writes) {
        if (stage != pipe::Stage::Fragment) {
            needs.reads(image.jobs);
            pass_.note_read(image.jobs);
            return;
        }
        pass_.reads(image.jobs);
        if (!writes) return;
        pass_.writes(image.jobs);
        image.write_plainly();
    });
    if (stage == pipe::Stage::Fragment) {
        const StageTables& s = stage_tables(state_, stage);
        if (s.has_storage()) recorder_.note_fragment_buffers();
        if (s.stores()) pass_.store_to_buffers();
        return;
    }
    // Fragment jobs run in order. Vertex work does not wait for earlier fragments, even of earlier
    // submissions.
    recorder_.meet(QueueKind::VertexTiler, needs);
}

/// Writes the descriptors of all units up to the last one that the program reads.
void Tables::write_textures(pipe::Stage stage, uint8_t* textures, uint8_t* samplers) {
    const contexts::BoundStage& t = state_.stages[stage];
    const StageTables& stage_of = stage_tables(state_, stage);
    const programs::TextureKinds kinds{stage_of.cube_textures, stage_of.volume_textures};
    const uint32_t count = stage_of.texture_count;
    for (uint32_t i = 0; i < count; ++i) {
        const bool read = stage_tables(state_, stage).textures >> i & 1;
        MaliSamplerView& v =
            read && t.views[i]
                ? static_cast<MaliSamplerView&>(*t.views[i])
                : screen_.null_views().of(kinds.of(i));
        const MaliSampler& s =
            t.samplers[i] ? static_cast<const MaliSampler&>(*t.samplers[i]) : *screen_.default_sampler;
        TextureDescriptors* d = nullptr;
        if (read)
            recorder_.read_as_packed(v.image(), [&] { d = &v.descriptors(); });
        else
            d = &v.descriptors();
        std::memcpy(textures + i * 32, d->words.data(), 32);
        std::memcpy(samplers + i * 32, s.words.data(), 32);
        if (s.shows_border) put_border(s.desc.border, v.desc, samplers + i * 32);
        if (!read) continue;
        recorder_.hold(*d);
        if (stage == pipe::Stage::Fragment && v.desc.kind == pipe::ResourceKind::Buffer)
            recorder_.note_fragment_buffers();
    }
}

bool Tables::vertex_tables_key(PackedVertexTable::Key* key) {
    const StageTables& stage = stage_tables(state_, pipe::Stage::Vertex);
    if (stage.texture_count || stage.uniform_buffer_count() || converted.any() ||
        state_.vertex_buffers.size() > PackedVertexTable::kMaxBuffers)
        return false;
    key->layout = state_.layout->id;
    key->attributes = state_.program->attributes;
    key->first_instance = state_.layout->instanced ? first_instance : 0;
    key->count = uint32_t(state_.vertex_buffers.size());
    for (uint32_t i = 0; i < key->count; ++i) {
        const pipe::VertexBuffer& v = state_.vertex_buffers[i];
        key->buffers[i] = {};
        if (!v.resource) continue;
        MaliResource& r = mali(*v.resource);
        recorder_.read_as_packed(r, [&] {
            key->buffers[i] = {r.va() + v.offset_B, uint32_t(r.desc.width), v.stride_B};
        });
    }
    return true;
}

uint64_t Tables::vertex(const SysvalValues& values) {
    PackedVertexTable::Key key;
    if (!vertex_tables_key(&key)) {
        const uint64_t tables = write(pipe::Stage::Vertex, values, 0);
        if (state_.program->stages[pipe::Stage::Vertex].texture_count) order(pipe::Stage::Vertex);
        return tables;
    }
    PackedVertexTable& e = packed_.at(key.hash());
    if (!e.va || e.key != key) {
        e.va = 0;
        e.key = key;
        e.va = write(pipe::Stage::Vertex, values, 0);
    }
    return e.va;
}

/// The tables, the descriptors in them, and the default uniform block are one piece of memory.
uint64_t Tables::write(pipe::Stage stage, const SysvalValues& values, uint32_t storage) {
    const StageTables& s = stage_tables(state_, stage);
    const bool fetches = stage == pipe::Stage::Vertex;
    const uint32_t attributes = fetches ? uint32_t(std::bit_width(state_.program->attributes)) : 0;
    const uint32_t bound = attributes ? uint32_t(state_.vertex_buffers.size()) + 1 : 0;
    const uint32_t buffers = attributes ? bound + converted.count() : 0;
    const uint32_t uniform_buffers = s.uniform_buffer_count();
    const uint32_t block_B = s.uniform_buffer ? (s.uniform_dw * 4 + 31) & ~31u : 0;
    const uint32_t system_B = s.system_block ? sizeof values : 0;
    const auto storage_buffers = uint32_t(std::bit_width(storage)),
               images = uint32_t(std::bit_width(s.images));
    const uint32_t descriptors =
        uniform_buffers + attributes + buffers + 2 * s.texture_count + images + storage_buffers;
    const unsigned tables = storage || images ? kAllTables : kDrawTables;
    const Pool::Piece p =
        recorder_.pool.allocate(tables_B(tables) + 32 * descriptors + block_B + system_B, 64);
    uint32_t at = tables_B(tables);
    const auto take = [&](compiler::Table t, uint32_t count) {
        put_table(p.cpu, t, p.va + at, count * 32);
        uint8_t* const out = p.cpu + at;
        at += count * 32;
        return out;
    };
    uint8_t* const uniform_words = take(compiler::Table::UniformBuffers, uniform_buffers);
    uint8_t* const attribute_words = take(compiler::Table::Attributes, attributes);
    uint8_t* const buffer_words = take(compiler::Table::AttributeBuffers, buffers);
    uint8_t* const sampler_words = take(compiler::Table::Samplers, s.texture_count);
    uint8_t* const texture_words = take(compiler::Table::Textures, s.texture_count);
    if (storage || images) {
        write_images(stage, take(compiler::Table::Images, images));
        write_storage(values, take(compiler::Table::StorageBuffers, storage_buffers), storage_buffers);
    }
    if (s.blocks || s.system_block) write_blocks(stage, uniform_words);
    if (s.uniform_buffer) write_default_block(stage, p.va + at, p.cpu + at, uniform_words);
    system_block_va_ = s.system_block ? p.va + at + block_B : 0;
    if (s.system_block) {
        std::memcpy(p.cpu + at + block_B, &values, sizeof values);
        put_buffer(system_block_va_, sizeof values, uniform_words + 32 * compiler::kSystemBlock);
    }
    if (attributes) write_vertices(attributes, attribute_words, buffer_words);
    if (s.texture_count) write_textures(stage, texture_words, sampler_words);
    return p.va | tables;
}

void Tables::write_storage(const SysvalValues& values, uint8_t* descriptors, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const SysvalValues::StorageBuffer& b = values.storage[i];
        put_buffer(b.low | uint64_t(b.high) << 32, b.size_B & ~3u, descriptors + 32 * i);
    }
}

void Tables::write_images(pipe::Stage stage, uint8_t* descriptors) {
    constexpr uint32_t kUnbound_B = 64;
    const auto pack = [&](const pipe::ImageView& view, uint8_t* words) {
        const ImageTexels texels(view);
        const Pool::Piece planes =
            recorder_.pool.allocate(texels.planes_B() + kUnbound_B, ImageTexels::kPlaneAlign_B);
        texels.write(planes.va, planes.va + texels.planes_B(), planes.cpu, words);
    };
    // Dispatches come here without a draw, which would forget what earlier submissions packed.
    if (images_packed_in_ != recorder_.serial()) packed_images_.clear();
    images_packed_in_ = recorder_.serial();
    const StageTables& s = stage_tables(state_, stage);
    for (uint32_t slot = 0; s.images >> slot; ++slot, descriptors += hw::Texture::kSize_B) {
        const pipe::ImageView& view = state_.stages[stage].images[slot];
        if (!(s.images >> slot & 1) || !view.resource) {
            pack({}, descriptors);
            continue;
        }
        MaliResource& r = mali(*view.resource);
        // A resource that is written keeps its memory until the submission.
        if (s.written_images >> slot & 1) recorder_.write(r);
        PackedImage& e = packed_images_.at(PackedImage::hash(view));
        recorder_.read_as_packed(r, [&] {
            const uint32_t serial = r.storage_serial();
            if (e.view != view || e.storage_serial != serial) {
                e.view = {};
                pack(view, e.words.data());
                e.view = view;
                e.storage_serial = serial;
            }
            std::ranges::copy(e.words, descriptors);
        });
    }
}

void Tables::write_vertices(uint32_t count, uint8_t* attributes, uint8_t* buffers) {
    const auto each_buffer = [&](auto&& f) {
        for (const pipe::VertexBuffer& v : state_.vertex_buffers)
            if (v.resource) f(mali(*v.resource));
    };
    recorder_.read_all_as_packed(each_buffer, [&] {
        write_attributes(*state_.layout, state_.vertex_buffers, count, first_instance,
                         screen_.missing_attribute_va(), reinterpret_cast<uint32_t*>(attributes),
                         reinterpret_cast<uint32_t*>(buffers));
    });
    auto buffer = uint32_t(state_.vertex_buffers.size()) + 1;
    converted.convert({state_.layout->desc, state_.vertex_buffers},
                      [&](uint32_t location, const contexts::ConvertedAttribute& a) {
                          write_converted_attribute(*state_.layout, location, a, first_instance, buffer,
                                                    reinterpret_cast<uint32_t*>(attributes + location * 32),
                                                    reinterpret_cast<uint32_t*>(buffers + buffer * 32));
                          ++buffer;
                      });
}

/// Writes the default uniform block to memory, for shaders that index it.
void Tables::write_default_block(pipe::Stage stage, uint64_t va, uint8_t* data, uint8_t* descriptor) {
    const std::vector<uint32_t>& u = state_.stages[stage].uniforms;
    const uint32_t wanted = stage_tables(state_, stage).uniform_dw;
    programs::put_padded(reinterpret_cast<uint32_t*>(data), u, wanted);
    put_buffer(va, wanted * 4, descriptor);
}

/// Blocks that are not used have no bytes.
void Tables::write_blocks(pipe::Stage stage, uint8_t* descriptors) {
    const StageTables& s = stage_tables(state_, stage);
    for (uint32_t i = 0; i < s.uniform_buffer_count(); ++i)
        put_buffer(0, 0, descriptors + i * 32);
    for (uint32_t rest = s.blocks; rest; rest &= rest - 1) {
        const auto i = uint32_t(std::countr_zero(rest));
        const pipe::BufferRange& range = state_.stages[stage].blocks[i];
        if (!range.resource || range.offset_B >= range.resource->desc.width) continue;
        MaliResource& r = mali(*range.resource);
        uint64_t va = 0;
        recorder_.read_as_packed(r, [&] { va = r.va() + range.offset_B; });
        put_buffer(va, uint32_t(std::min<uint64_t>(range.size_B, r.desc.width - range.offset_B)),
                   descriptors + (compiler::kFirstUniformBlock + i) * 32);
    }
    if (stage == pipe::Stage::Fragment) recorder_.note_fragment_buffers();
}

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blocks are copied as elements: whole blocks, or parts of blocks whose size is no power of two (images with
// such blocks are linear). Elements are read as unsigned integers, which keeps every bit. Each 2D image
// (layer, face, slice) is one job. Bytes of buffers are rows of the largest elements to which both addresses
// are aligned. The size of tasks is chosen as in Mesa 25.0.7, pan_csf.c, csf_launch_grid.
#include "drivers/mali/transfers/copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

#include "drivers/mali/compiler/abi.h"
#include "drivers/mali/hw/pixel_format.h"
#include "drivers/mali/images/plane.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

using pipe::Box;
using pipe::Tiling;

constexpr uint32_t kTables = 5;  // as compiler::Table
constexpr uint32_t kTextureExtent = 1 << 16;
constexpr uint32_t kMemoryWord_B = 16;

/// The elements of a block.
struct Element {
    uint32_t size_B = 1, per_block = 1;
};
Element element_of(pipe::Format format) {
    const uint32_t block_B = pipe::format_info(format).block_B, odd = block_B >> std::countr_zero(block_B);
    return {block_B / odd, odd};
}

struct IntegerFormat {
    hw::PixelFormatCode code;
    hw::ClumpFormat clump;
};
IntegerFormat integers(uint32_t size_B) {
    switch (size_B) {
        case 1:
            return {hw::PixelFormatCode::R8UI, hw::ClumpFormat::RAW8};
        case 2:
            return {hw::PixelFormatCode::R16UI, hw::ClumpFormat::RAW16};
        case 4:
            return {hw::PixelFormatCode::R32UI, hw::ClumpFormat::RAW32};
        case 8:
            return {hw::PixelFormatCode::RG32UI, hw::ClumpFormat::RAW64};
        default:
            return {hw::PixelFormatCode::RGBA32UI, hw::ClumpFormat::RAW128};
    }
}

/// A 2D image that a job reads.
struct Source {
    hw::Plane plane;
    hw::Texture texture;
};
/// A 2D image that a job writes.
struct Target {
    uint64_t va = 0;
    uint32_t row_stride_B = 0;
};
/// A region in elements.
struct Region {
    uint32_t from_x, from_y, to_x, to_y, width, height;  // width, height: of what is written
    bool halve_x = false, halve_y = false;
};

Source plain_source(const IntegerFormat& f, uint64_t va, uint32_t width, uint32_t height, uint32_t stride_B,
                    uint64_t size_B, bool interleaved) {
    Source s;
    s.plane.plane_type = hw::PlaneType::Generic;
    s.plane.clump_format = f.clump;
    s.plane.clump_ordering = interleaved ? hw::ClumpOrdering::TiledUInterleaved : hw::ClumpOrdering::Linear;
    s.plane.size = uint32_t(size_B);
    s.plane.pointer = va;
    s.plane.row_stride = stride_B;
    s.plane.slice_stride = int32_t(size_B);
    s.plane.width = width;
    s.plane.height = height;
    s.texture.dimension = hw::TextureDimension::D2;
    s.texture.format = hw::pixel_format(f.code, hw::ComponentOrder::RGBA);
    s.texture.width = width;
    s.texture.height = height;
    s.texture.swizzle = hw::kIdentitySwizzle;
    s.texture.texel_interleave = interleaved;
    return s;
}

Source image_source(const MaliResource& r, uint32_t level, uint32_t z) {
    const Element e = element_of(r.desc.format);
    const pipe::LevelLayout& l = r.layout.level[level];
    const uint32_t blocks = (l.width + r.layout.block_w_px - 1) / r.layout.block_w_px;
    return plain_source(integers(e.size_B), r.image_va(level, z), blocks * e.per_block, l.rows,
                        l.row_stride_B, l.slice_stride_B, r.layout.tiling == Tiling::Interleaved);
}

uint8_t tile_log2(const MaliResource& r) {
    if (r.layout.tiling == Tiling::Linear) return 0;
    return pipe::format_info(r.desc.format).is_compressed ? 2 : 4;
}

/// Converts a box to elements: the position of the first one, and the size.
void place(pipe::Format format, const Box& box, uint32_t* x, uint32_t* y, Region* size) {
    const pipe::FormatInfo& f = pipe::format_info(format);
    const Element e = element_of(format);
    *x = uint32_t(box.x) / f.block_w_px * e.per_block;
    *y = uint32_t(box.y) / f.block_h_px;
    size->width = (uint32_t(box.width) + f.block_w_px - 1) / f.block_w_px * e.per_block;
    size->height = (uint32_t(box.height) + f.block_h_px - 1) / f.block_h_px;
}

/// Sets how floats are packed as a pixel of normalised integers. False: the format has other channels.
bool pack_as(pipe::Format format, CopyKey* key) {
    const pipe::FormatInfo& f = pipe::format_info(format);
    if (f.layout != pipe::FormatLayout::Plain || f.is_srgb || !f.is_color ||
        !std::has_single_bit(f.block_B) || f.block_B > 4)
        return false;
    unsigned at = 0;
    for (unsigned c = 0; c < f.channel_count; ++c) {
        const pipe::ChannelInfo& channel = f.channel[c];
        if (channel.shift != at || (channel.type != pipe::ChannelType::Unorm && channel.letter != 'X'))
            return false;
        const std::string_view letters = "RGBA";
        const size_t component = channel.letter == 'L' ? 0 : letters.find(channel.letter);
        key->unorm_bits[c] = channel.bits;
        key->component[c] = component < 4 ? uint8_t(component) : kCopyOne;
        at += channel.bits;
    }
    key->element_B = f.block_B;
    return at == f.block_B * 8u;
}

/// AFBC is read as colours: floats in the order of the channels in memory, packed to the original bits again.
/// False: the hardware does not compress the image's format.
bool afbc_texels(const MaliResource& r, TexelFormat* texels, CopyKey* key) {
    using pipe::Format;
    hw::AfbcCompressionMode mode;
    if (!afbc_compression_mode(r.desc.format, false, &mode)) return false;
    Format f = pipe::format_to_linear(r.desc.format);
    if (f == Format::None) f = r.desc.format;
    // The format must also copy unused channels (X), and depth and stencil.
    if (mode == hw::AfbcCompressionMode::R8G8) f = Format::R8G8_UNORM;
    if (mode == hw::AfbcCompressionMode::R8G8B8A8) f = Format::R8G8B8A8_UNORM;
    if (mode == hw::AfbcCompressionMode::R10G10B10A2) f = Format::R10G10B10A2_UNORM;
    key->packs_texels = true;
    return texel_format(r, f, false, texels) && pack_as(f, key);
}

bool is_bytes(pipe::Format format) {
    CopyKey key;
    if (!pack_as(format, &key)) return false;
    for (const uint8_t bits : key.unorm_bits)
        if (bits && bits != 8) return false;
    return true;
}

/// Between two sRGB formats values are copied without conversion.
void drop_srgb(pipe::Format* a, pipe::Format* b) {
    if (!pipe::format_info(*a).is_srgb || !pipe::format_info(*b).is_srgb) return;
    *a = pipe::format_to_linear(*a);
    *b = pipe::format_to_linear(*b);
}

/// A source that is read as floats, in the image's format or one of the same block size.
Source float_source(const MaliResource& r, const TexelFormat& format, uint32_t level, uint32_t z) {
    static constexpr pipe::Swizzle kIdentity[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1,
                                                   pipe::Swizzle::Channel2, pipe::Swizzle::Channel3};
    const bool is_3d = r.layout.kind == pipe::ResourceKind::Tex3D;
    Source s{make_plane(r, format, level, is_3d ? 0 : z),
             make_texture(r, format, pipe::ResourceKind::Tex2D, kIdentity, level, 1, 1)};
    if (is_3d) {
        s.plane.pointer = r.image_va(level, z);
        s.plane.size = uint32_t(r.layout.level[level].slice_stride_B);
    }
    return s;
}

/// Whether both boxes are whole levels with the same layout in memory, so that rows of memory words can be
/// copied.
bool same_bytes(const MaliResource& dst, uint32_t dst_level, const Box& to, const MaliResource& src,
                uint32_t src_level, const Box& from) {
    const pipe::LevelLayout &d = dst.layout.level[dst_level], &s = src.layout.level[src_level];
    const auto whole = [](const pipe::LevelLayout& l, const Box& b) {
        return uint32_t(b.width) == l.width && uint32_t(b.height) == l.height;
    };
    // Memory between the rows of a linear image may contain other data.
    if (dst.layout.tiling == Tiling::Linear && pipe::format_row_B(dst.desc.format, d.width) != d.row_stride_B)
        return false;
    return !src.afbc() && whole(d, to) && whole(s, from) && dst.layout.tiling == src.layout.tiling &&
           dst.layout.block_w_px == src.layout.block_w_px && dst.layout.block_h_px == src.layout.block_h_px &&
           d.row_stride_B == s.row_stride_B && d.slice_stride_B == s.slice_stride_B &&
           s.row_stride_B / kMemoryWord_B <= kTextureExtent;
}

/// Reads the bits of an image's elements, and sets the shader key for that.
class Reader {
  public:
    Reader(const MaliResource& image, CopyKey* key) : image_(image), compressed_(image.afbc()) {
        key->element_B = uint8_t(element_of(image.desc.format).size_B);
        if (compressed_) (void)afbc_texels(image, &texels_, key);
    }
    [[nodiscard]] Source at(uint32_t level, uint32_t z) const {
        return compressed_ ? float_source(image_, texels_, level, z) : image_source(image_, level, z);
    }

  private:
    const MaliResource& image_;
    const bool compressed_;
    TexelFormat texels_;
};

/// The jobs of one shader, between begin_compute() and end_compute().
class Jobs {
  public:
    /// Constructed before anything is recorded. `count`: the number of run() calls.
    Jobs(Recorder& recorder, InternalShaders& shaders, const CopyKey& key, uint32_t count)
        : recorder_(recorder), shader_(shaders.copy_shader(key)) {
        if (!shader_) throw std::bad_alloc();
        fau_B_ = (shader_->fau_count() * 8 + 63) & ~63u;
        memory_ = recorder.pool.allocate(count * job_B(), 64);
        local_storage_va_ = recorder.local_storage(shader_->info.tls_B);
    }
    void run(const Source& source, const Target& target, const Region& region) {
        using R = hw::ComputeRegisters;
        uint8_t* const cpu = memory_.cpu;
        const uint64_t va = memory_.va;
        memory_.cpu += job_B();
        memory_.va += job_B();
        std::memset(cpu, 0, kTables_B);
        hw::Texture texture = source.texture;
        texture.surfaces = va + kPlaneAt_B;
        hw::Sampler sampler;
        sampler.normalized_coordinates = false;
        sampler.clamp_integer_array_indices = false;
        sampler.minify_nearest = sampler.magnify_nearest = true;
        put(sampler, cpu + kSamplerAt_B);
        put(texture, cpu + kTextureAt_B);
        put(source.plane, cpu + kPlaneAt_B);
        hw::Resource table;
        table.size = 32;
        table.address = va + kSamplerAt_B;
        put(table, cpu + 16 * unsigned(compiler::Table::Samplers));
        table.address = va + kTextureAt_B;
        put(table, cpu + 16 * unsigned(compiler::Table::Textures));

        CopyUniforms u;
        u.from_x = region.from_x;
        u.from_y = region.from_y;
        u.to_x = region.to_x;
        u.to_y = region.to_y;
        u.last_x = region.width - 1;
        u.last_y = region.height - 1;
        u.row_stride_B = target.row_stride_B;
        u.halve_x = region.halve_x;
        u.halve_y = region.halve_y;
        uint32_t words[sizeof(u) / 4];
        std::memcpy(words, &u, sizeof(u));
        SysvalValues sysvals;
        sysvals.buffer[0] = uint32_t(target.va);
        sysvals.buffer[1] = uint32_t(target.va >> 32);
        write_fau(*shader_, words, sysvals, reinterpret_cast<uint32_t*>(cpu + kFauAt_B));

        CsBuilder& b = recorder_.compute;
        b.set64(R::srt, va | kTables);
        b.set64(R::fau, (va + kFauAt_B) | uint64_t(shader_->fau_count()) << 56);
        b.set64(R::spd, shader_->spd_va());
        b.set64(R::tsd, local_storage_va_);
        b.set32(R::global_attribute_offset, 0);
        hw::ComputeSizeWorkgroup group;
        group.workgroup_size_x = kCopyGroupWidth;
        group.workgroup_size_y = kCopyGroupHeight;
        group.workgroup_size_z = 1;
        group.allow_merging_workgroups = true;
        b.set32(R::workgroup_size, word_of(group));
        const uint32_t groups_x = (region.width + kCopyGroupWidth - 1) / kCopyGroupWidth;
        const uint32_t groups_y = (region.height + kCopyGroupHeight - 1) / kCopyGroupHeight;
        const uint32_t offset[3] = {0, 0, 0}, size[3] = {groups_x, groups_y, 1};
        for (unsigned i = 0; i < 3; ++i) {
            b.set32(R::job_offset_x + i, offset[i]);
            b.set32(R::job_size_x + i, size[i]);
        }
        b.emit(task(groups_x, groups_y));
    }

  private:
    /// A task has as many workgroups as a core has threads for: along x, or whole rows.
    [[nodiscard]] hw::CsRunCompute task(uint32_t groups_x, uint32_t groups_y) const {
        const uint32_t threads = recorder_.chip().max_threads / (shader_->info.work_registers > 32 ? 2 : 1);
        const uint32_t groups = std::max(1u, threads / (kCopyGroupWidth * kCopyGroupHeight));
        hw::CsRunCompute run;
        const bool rows = groups >= groups_x;
        run.task_axis = rows ? hw::TaskAxis::Y : hw::TaskAxis::X;
        run.task_increment = rows ? std::clamp(groups / groups_x, 1u, groups_y) : groups;
        return run;
    }
    [[nodiscard]] uint32_t job_B() const { return kFauAt_B + fau_B_; }

    static constexpr uint32_t kTables_B = 128, kSamplerAt_B = 128, kTextureAt_B = 160, kPlaneAt_B = 192,
                              kFauAt_B = 256;
    Recorder& recorder_;
    const ShaderPart* const shader_;
    uint32_t fau_B_ = 0;
    uint64_t local_storage_va_ = 0;
    Pool::Piece memory_;
};

VaRange range_of(const MaliResource& r, uint32_t level, const Box& box) {
    if (const pipe::AfbcLayout* const afbc = r.afbc()) return {r.va(), r.va() + afbc->size_B};
    const auto first = uint32_t(box.z), last = first + uint32_t(box.depth) - 1;
    return {r.image_va(level, first), r.image_va(level, last) + r.layout.level[level].slice_stride_B};
}

bool gpu_can_read(const MaliResource& r) {
    if (r.desc.kind == pipe::ResourceKind::Buffer) return false;
    if (r.layout.tiling != Tiling::Linear && pipe::format_info(r.desc.format).is_compressed) return false;
    return r.desc.width * element_of(r.desc.format).per_block <= kTextureExtent;
}

}  // namespace

bool gpu_can_copy(const MaliResource& dst, uint32_t dst_level, const Box& to, const MaliResource& src,
                  uint32_t src_level, const Box& from) {
    if (&dst == &src && dst_level == src_level) return false;
    return dst.desc.kind != pipe::ResourceKind::Buffer && !dst.afbc() &&
           (gpu_can_read(src) || (src.desc.kind != pipe::ResourceKind::Buffer &&
                                  same_bytes(dst, dst_level, to, src, src_level, from)));
}

void copy_image_to_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                         const Box& to, MaliResource& src, uint32_t src_level, const Box& from) {
    Region region{};
    CopyKey key;
    dst.write_plainly();
    recorder.write(dst);
    const std::lock_guard guard(src.mutex());
    const pipe::LevelLayout& whole = src.layout.level[src_level];
    const Reader reader(src, &key);
    const bool memory = same_bytes(dst, dst_level, to, src, src_level, from);
    if (memory) {
        key.element_B = kMemoryWord_B;
        region.width = whole.row_stride_B / kMemoryWord_B;
        region.height = uint32_t(whole.slice_stride_B / whole.row_stride_B);
    } else {
        key.tile_log2 = tile_log2(dst);
        place(src.desc.format, from, &region.from_x, &region.from_y, &region);
        place(dst.desc.format, to, &region.to_x, &region.to_y, &region);
    }
    Jobs jobs(recorder, shaders, key, uint32_t(from.depth));
    recorder.read(src);
    recorder.begin_compute({&src.jobs, range_of(src, src_level, from)},
                           {&dst.jobs, range_of(dst, dst_level, to)});
    for (uint32_t z = 0; z < uint32_t(from.depth); ++z)
        jobs.run(
            memory
                ? plain_source(integers(kMemoryWord_B), src.image_va(src_level, uint32_t(from.z) + z),
                               region.width, region.height, whole.row_stride_B, whole.slice_stride_B, false)
                : reader.at(src_level, uint32_t(from.z) + z),
            {dst.image_va(dst_level, uint32_t(to.z) + z), dst.layout.level[dst_level].row_stride_B}, region);
    recorder.end_compute();
}

void copy_bytes(Recorder& recorder, InternalShaders& shaders, const images::BufferCopy& c) {
    constexpr uint64_t kTextureAlign_B = 64, kRow_el = 4096;
    MaliResource &dst = mali(c.dst), &src = mali(c.src);
    recorder.write(dst);
    const std::lock_guard guard(src.mutex());
    recorder.read(src);
    uint64_t from = src.va() + c.src_B, to = dst.va() + c.dst_B, rest_B = c.size_B;
    while (rest_B) {
        CopyKey key;
        const unsigned aligned = unsigned(std::countr_zero(from | to));
        key.element_B = uint8_t(1u << std::min({aligned, 4u, unsigned(std::bit_width(rest_B)) - 1}));
        const uint64_t before_B = from % kTextureAlign_B, count = rest_B / key.element_B;
        // The rows of a texture that begins before the first byte would overlap.
        Region region{};
        region.from_x = uint32_t(before_B / key.element_B);
        region.height =
            region.from_x ? 1 : uint32_t(std::clamp<uint64_t>(count / kRow_el, 1, kTextureExtent));
        region.width = uint32_t(
            region.height > 1 ? kRow_el
                              : std::min<uint64_t>(count, region.from_x ? kTextureExtent / 2 : kRow_el));
        const uint32_t stride_B = region.width * key.element_B;
        const uint64_t size_B = uint64_t(stride_B) * region.height;
        Jobs jobs(recorder, shaders, key, 1);
        recorder.begin_compute({&src.jobs, {from, from + size_B}}, {&dst.jobs, {to, to + size_B}}, true);
        jobs.run(plain_source(integers(key.element_B), from - before_B, region.from_x + region.width,
                              region.height, stride_B, before_B + size_B, false),
                 {to, stride_B}, region);
        recorder.end_compute();
        from += size_B, to += size_B, rest_B -= size_B;
    }
}

bool gpu_can_convert(const MaliResource& dst, pipe::Format to_format, const MaliResource& src,
                     pipe::Format from_format, bool halve) {
    CopyKey key;
    TexelFormat texels;
    if (halve && pipe::format_info(from_format).is_srgb)
        return false;  // averages are computed of linear values
    drop_srgb(&from_format, &to_format);
    const pipe::FormatInfo& f = pipe::format_info(from_format);
    if (src.afbc() && !afbc_compatible(src.desc.format, from_format)) return false;
    return dst.desc.kind != pipe::ResourceKind::Buffer && src.desc.kind != pipe::ResourceKind::Buffer &&
           f.is_color && !f.is_pure_int() && pack_as(to_format, &key) &&
           pipe::format_info(dst.desc.format).block_B == key.element_B &&
           texel_format(src, from_format, false, &texels);
}

void convert_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                   const Box& to, pipe::Format to_format, MaliResource& src, uint32_t src_level,
                   const Box& from, pipe::Format from_format) {
    drop_srgb(&from_format, &to_format);
    Region region{};
    place(src.desc.format, from, &region.from_x, &region.from_y, &region);
    place(dst.desc.format, to, &region.to_x, &region.to_y, &region);
    region.halve_x = from.width != to.width;
    region.halve_y = from.height != to.height;
    CopyKey key;
    key.tile_log2 = tile_log2(dst);
    key.halve = region.halve_x || region.halve_y;
    dst.write_plainly();
    recorder.write(dst);
    const std::lock_guard guard(src.mutex());
    // Bytes are averaged as integers, so that ties are rounded exactly.
    const bool integers = key.halve && from_format == to_format && is_bytes(to_format);
    TexelFormat texels;
    std::optional<Reader> bits;
    if (integers)
        bits.emplace(src, &key);
    else if (!pack_as(to_format, &key) || !texel_format(src, from_format, false, &texels))
        return;
    Jobs jobs(recorder, shaders, key, uint32_t(from.depth));
    recorder.read(src);
    recorder.begin_compute({&src.jobs, range_of(src, src_level, from)},
                           {&dst.jobs, range_of(dst, dst_level, to)});
    for (uint32_t z = 0; z < uint32_t(from.depth); ++z) {
        const uint32_t from_z = uint32_t(from.z) + z;
        jobs.run(bits ? bits->at(src_level, from_z) : float_source(src, texels, src_level, from_z),
                 {dst.image_va(dst_level, uint32_t(to.z) + z), dst.layout.level[dst_level].row_stride_B},
                 region);
    }
    recorder.end_compute();
}

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Moves the storage of an EGLImage into memory that other processes can access
// (EGL_MESA_image_dma_buf_export). Ordinary textures do not lie in such memory, since devices choose layouts
// for them that other processes do not know.
#include <vector>

#include "state_tracker/image_export.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {
namespace {

/// Creates a resource in such memory for the image. Null: `why` says the reason.
pipe::Ref<pipe::Resource> create_twin(Context& ctx, const Image& image, std::string* why) {
    pipe::ResourceDesc d = image.resource->desc;
    std::vector<uint64_t> modifiers;
    for (const pipe::Modifier& m : ctx.screen.modifiers(d.format))
        modifiers.push_back(m.value);
    const bool single =
        d.kind == pipe::ResourceKind::Tex2D && d.levels == 1 && d.layers == 1 && d.samples == 1;
    if (!single || image.level || image.layer || modifiers.empty()) {
        *why =
            "the device shares only images of a two-dimensional texture with one level, in a format of "
            "drm_fourcc.h";
        return nullptr;
    }
    d.bind |= pipe::bind::kShared;
    pipe::Ref<pipe::Resource> twin = ctx.screen.create_shared_resource(d, modifiers);
    if (!twin) *why = "out of memory";
    return twin;
}

/// Replaces the old storage by the new one in the textures and renderbuffers of the context's share group.
void move_objects(Context& ctx, const pipe::Ref<pipe::Resource>& from, const pipe::Ref<pipe::Resource>& to) {
    ctx.share->textures.for_each([&](Texture& t) {
        bool changed = false;
        for (unsigned f = 0; f < t.faces(); ++f)
            for (unsigned level = 0; level < t.level_count(f); ++level)
                if (TextureImage* const i = t.image(f, level); i && i->resource == from) {
                    i->resource = to;
                    changed = true;
                }
        if (t.chain == from) t.chain = nullptr;
        if (!changed) return;
        t.touch();
        texture_changed(ctx, t);
    });
    ctx.share->renderbuffers.for_each([&](Renderbuffer& r) {
        if (!(r.resource == from)) return;
        r.resource = to;
        if (ctx.framebuffer && ctx.framebuffer->holds(nullptr, &r)) ctx.dirty |= dirty::kFramebuffer;
    });
}

}  // namespace

pipe::Ref<Image> snapshot(const Image& image) {
    auto copy = pipe::Ref<Image>::adopt(new Image);
    const std::lock_guard lock(image_move_mutex());
    copy->resource = image.resource;
    copy->format = image.format;
    copy->level = image.level;
    copy->layer = image.layer;
    copy->width_px = image.width_px;
    copy->height_px = image.height_px;
    copy->gl_internal_format = image.gl_internal_format;
    copy->external_only = image.external_only;
    copy->yuv = image.yuv;
    return copy;
}

std::mutex& image_move_mutex() {
    static std::mutex mutex;
    return mutex;
}

ImageResult make_exportable(Context& ctx, Image& image, std::span<const pipe::Ref<Image>> other_images,
                            std::string* why) {
    std::lock_guard lock(ctx.share->mutex);
    const std::lock_guard move(image_move_mutex());
    const pipe::Ref<pipe::Resource> old = image.resource;
    bool known = image.only_of(ctx.share.get());
    for (const pipe::Ref<Image>& other : other_images)
        known = known && (!(other->resource == old) || other->only_of(ctx.share.get()));
    if (!known) {
        *why = "its storage must move to be shared, and objects of another share group have it";
        return ImageResult::BadAccess;
    }
    pipe::Ref<pipe::Resource> twin = create_twin(ctx, image, why);
    if (!twin) return *why == "out of memory" ? ImageResult::OutOfMemory : ImageResult::BadMatch;
    end_rendering(ctx);
    const Extent size{image.width_px, image.height_px, 1};
    if (!copy_texels(ctx, {twin.get(), image.format, 0, 0, 0, 0}, {old.get(), image.format, 0, 0, 0, 0},
                     size)) {
        *why = "out of memory";
        return ImageResult::OutOfMemory;
    }
    move_objects(ctx, old, twin);
    for (const pipe::Ref<Image>& other : other_images)
        if (other->resource == old) other->resource = twin;
    image.resource = std::move(twin);
    return ImageResult::Ok;
}

}  // namespace terrazzo::st

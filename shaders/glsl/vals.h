// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GLSL value during translation: the list of its scalars. Up to a mat4 it needs no heap.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

#include "shaders/ir/ir.h"

namespace terrazzo::shaders::glsl {

class Vals {
  public:
    Vals() = default;
    Vals(std::initializer_list<ir::Value*> v) { append(v.begin(), v.size()); }
    Vals(ir::Value* const* first, ir::Value* const* last) { append(first, size_t(last - first)); }
    Vals(const Vals& o) { append(o.data(), o.size_); }
    Vals(Vals&& o) noexcept { take(o); }
    Vals& operator=(const Vals& o) {
        if (this != &o) {
            size_ = 0;
            append(o.data(), o.size_);
        }
        return *this;
    }
    Vals& operator=(Vals&& o) noexcept {
        if (this != &o) take(o);
        return *this;
    }

    operator std::span<ir::Value* const>() const {
        return {data(), size_};
    }  // NOLINT: as std::vector converts
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] ir::Value** data() { return heap_ ? heap_.get() : inline_; }
    [[nodiscard]] ir::Value* const* data() const { return heap_ ? heap_.get() : inline_; }
    [[nodiscard]] ir::Value** begin() { return data(); }
    [[nodiscard]] ir::Value** end() { return data() + size_; }
    [[nodiscard]] ir::Value* const* begin() const { return data(); }
    [[nodiscard]] ir::Value* const* end() const { return data() + size_; }
    [[nodiscard]] ir::Value*& operator[](size_t i) { return data()[i]; }
    [[nodiscard]] ir::Value* operator[](size_t i) const { return data()[i]; }
    [[nodiscard]] ir::Value* back() const { return data()[size_ - 1]; }

    void push_back(ir::Value* v) {
        reserve(size_ + 1);
        data()[size_++] = v;
    }
    /// `from` must not be part of this list.
    void append(ir::Value* const* from, size_t count) {
        reserve(size_ + count);
        if (count) std::memcpy(data() + size_, from, count * sizeof(*from));
        size_ += count;
    }
    void append(const Vals& v) { append(v.data(), v.size_); }
    void append(size_t count, ir::Value* v) {
        reserve(size_ + count);
        std::fill_n(data() + size_, count, v);
        size_ += count;
    }

  private:
    static constexpr size_t kInline = 16;

    void reserve(size_t n) {
        if (n <= capacity_) return;
        n = std::max(n, 2 * capacity_);
        std::unique_ptr<ir::Value*[]> grown(new ir::Value*[n]);
        std::copy_n(data(), size_, grown.get());
        heap_ = std::move(grown);
        capacity_ = n;
    }
    void take(Vals& o) {
        heap_ = std::move(o.heap_);
        if (!heap_) std::copy_n(o.inline_, o.size_, inline_);
        capacity_ = heap_ ? o.capacity_ : kInline;
        size_ = o.size_;
        o.size_ = 0;
        o.capacity_ = kInline;
    }

    std::unique_ptr<ir::Value*[]> heap_;
    size_t size_ = 0, capacity_ = kInline;
    ir::Value* inline_[kInline] = {};
};

}  // namespace terrazzo::shaders::glsl

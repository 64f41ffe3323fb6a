// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Is there a Wayland server, and is this pointer a wl_display? Both checks cost a few system calls at most,
// do not disturb a server, do not use up $WAYLAND_SOCKET, and do not crash. Facts: wl_display_connect(3) says
// where servers are. A wl_display begins with a wl_proxy, which begins with a wl_object, which begins with a
// pointer to its wl_interface (libwayland's ABI, unchanged since 1.0).
#include "winsys/wayland/probe.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <wayland-client.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "winsys/environment/environment.h"
#include "winsys/platform.h"

namespace terrazzo::winsys {

int inherited_wayland_socket() {
    const char* text = environment(Variable::WaylandSocket);
    if (!text || !*text) return -1;
    char* end = nullptr;
    const long fd = std::strtol(text, &end, 10);
    return *end == '\0' && fd >= 0 && fd <= 0x7fffffff ? int(fd) : -1;
}

std::string wayland_socket_path() {
    const char* const display = environment(Variable::WaylandDisplay);
    const std::string path = display && *display ? display : "wayland-0";
    if (path[0] == '/') return path;
    const char* const folder = environment(Variable::RuntimeFolder);
    return folder && folder[0] == '/' ? std::string(folder) + "/" + path : "";
}

int connect_and_close(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return errno;
    // EAGAIN: the server exists, but its backlog is full.
    const bool answers =
        connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EAGAIN;
    const int error = answers ? 0 : errno;
    close(fd);
    return error;
}

bool wayland_available() {
    if (const int fd = inherited_wayland_socket(); fd >= 0) {
        struct stat s;
        return fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode);
    }
    const std::string path = wayland_socket_path();
    return !path.empty() && connect_and_close(path) == 0;
}

bool is_wayland_object(const void* object, std::string_view interface) {
    const wl_interface* type = nullptr;
    const char* name = nullptr;
    char text[64];
    if (reinterpret_cast<uintptr_t>(object) % alignof(void*) != 0 || interface.size() >= sizeof text)
        return false;
    // Compares the name, not the address: another copy of libwayland (for example a static one) has its own
    // wl_interface objects.
    return read_untrusted(object, &type, sizeof type) && read_untrusted(type, &name, sizeof name) &&
           read_untrusted(name, text, interface.size() + 1) && text[interface.size()] == '\0' &&
           std::memcmp(text, interface.data(), interface.size()) == 0;
}

bool is_wayland_display(void* native) {
    return is_wayland_object(native, "wl_display");
}

}  // namespace terrazzo::winsys

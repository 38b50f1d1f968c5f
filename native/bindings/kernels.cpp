#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bitsep/kernels.hpp"
#include "convert.hpp"

namespace bitsep::bindings {

void register_kernels(nb::module_& m) {
    m.def(
        "available_kernels",
        [] {
            std::vector<std::string> names;
            for (const Kernel* kernel : available_kernels())
                names.emplace_back(kernel->name);
            return names;
        },
        "Names of the counting kernels this machine can run, best first.");
    m.def("active_kernel", [] { return std::string(active_kernel().name); }, "Name of the counting kernel in use.");
    m.def(
        "force_kernel", [](const std::string& name) { force_kernel(name); }, nb::arg("name"),
        "Use this kernel from now on; an empty name chooses the best again.");
}

} // namespace bitsep::bindings

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bitsep/kernels.hpp"
#include "convert.hpp"

namespace bitsep::bindings {

void register_kernels(nb::module_& m) {
    // A wrong name comes from the user, by way of the environment, and may show up wherever something is counted.
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const UnknownKernel& unknown) {
            PyErr_SetString(nb::module_::import_("bitsep.errors").attr("ArgumentError").ptr(), unknown.what());
        }
    });
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

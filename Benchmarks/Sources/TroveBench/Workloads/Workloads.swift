/// Every workload.
enum Workloads {
    /// By family, and in the order in which they are run on a store. `Found` is made by the build from the files of this folder.
    static let all: [any Workload] = StoreFamily.allCases.flatMap { family in
        Found.workloads.filter { $0.family == family }.enumerated()
            .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    }

    /// Some of each kind, for a first impression.
    static var quick: [any Workload] {
        let names: Set = [
            "bulk-insert", "scan", "get", "get-each", "fetch-all", "write-1", "write-64", "indexed-insert", "filter-count", "index-equality",
            "index-range", "text-insert", "text-word", "edit-insert", "update-third", "delete-half", "mixed-a", "mixed-c",
            "document-insert-100", "playlist-insert", "playlist-first-song", "tree-insert", "cascade-delete", "catalogue-import",
        ]
        return all.filter { names.contains($0.name) }
    }

    static func named(_ name: String) throws -> any Workload {
        guard let workload = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no workload '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return workload
    }

    /// The workload of a name, or those whose names begin with one that ends with a hyphen, such as `mixed-`.
    static func matching(_ name: String) throws -> [any Workload] {
        let matching = name.hasSuffix("-") ? all.filter { $0.name.hasPrefix(name) } : []
        return matching.isEmpty ? [try named(name)] : matching
    }
}

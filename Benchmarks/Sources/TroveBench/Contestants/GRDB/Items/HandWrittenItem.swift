import GRDB

/// An item whose coding is written by hand; columns are read by position, which is GRDB's fastest way.
struct HandWrittenItem: GRDBItem {
    let id: Int64
    let title: String
    var seconds: Int
}

extension HandWrittenItem {
    init(row: Row) {
        (id, title, seconds) = (row[0], row[1], row[2])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["seconds"] = seconds
    }
}

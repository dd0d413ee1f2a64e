import GRDB

/// A document, coded by hand.
struct GRDBDocument: PersistableRecord, Sendable {
    static let databaseTableName = "document"

    let id: Int64
    let name: String
    let city: String
    let kind: String
    let year: Int
    let size: Int
    let price: Double

    init(number: Int) {
        id = Int64(number) + 1
        (name, city, kind) = (DocumentData.name(number), DocumentData.city(number), DocumentData.kind(number))
        (year, size, price) = (DocumentData.year(number), DocumentData.size(number), DocumentData.price(number))
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["city"] = city
        container["kind"] = kind
        container["year"] = year
        container["size"] = size
        container["price"] = price
    }
}

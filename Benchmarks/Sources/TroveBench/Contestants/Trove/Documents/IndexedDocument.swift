import Trove

/// A document with every attribute indexed.
@Model
struct IndexedDocument {
    var id: ObjectID
    @Attribute(.indexed) var name: String
    @Attribute(.indexed) var city: String
    @Attribute(.indexed) var kind: String
    @Attribute(.indexed) var year: Int
    @Attribute(.indexed) var size: Int
    @Attribute(.indexed) var price: Double
}

extension IndexedDocument {
    init(number: Int) {
        self.init(
            id: DocumentData.id(number), name: DocumentData.name(number), city: DocumentData.city(number), kind: DocumentData.kind(number),
            year: DocumentData.year(number), size: DocumentData.size(number), price: DocumentData.price(number))
    }
}
